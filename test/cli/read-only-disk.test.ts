import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { FaultFile, type Person } from "../faults/fault-file.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { SmallDisk } from "../support/small-disk.ts";

describe("commands on a read-only disk", function () {
  this.timeout(60_000);
  let disk: SmallDisk | null = null;
  let file: FaultFile;
  let person: Person;
  /** A copy of the file with a log but without its index, as a crash and a repair leave it. */
  let crashed: string;

  before(function () {
    disk = SmallDisk.mount(this, 64 * 1024 * 1024);
    file = new FaultFile({ folder: disk.folder, fewItems: true });
    crashed = join(disk.folder, "crashed.db");
    person = file.person();
    file.change(({ $client }) => {
      $client.prepare("UPDATE accounts SET name = name").run();
      for (const suffix of ["", "-wal"]) copyFileSync(file.path + suffix, crashed + suffix);
    });
    disk.freeze();
  });
  after(() => disk?.unmount());

  const reads: [string, () => string[]][] = [
    ["db check", () => ["db", "check"]],
    ["db backup", () => ["db", "backup", join(temporaryFolder(), "backup.db")]],
    ["db clock", () => ["db", "clock"]],
    ["keys list", () => ["keys", "list", person.accountId]],
    ["accounts list", () => ["accounts", "list"]],
    ["accounts usage", () => ["accounts", "usage", person.accountId]],
  ];
  for (const [name, words] of reads) {
    it(`\`${name}\` reads the file, with and without a log`, async () => {
      for (const path of [file.path, crashed]) {
        const { code, notes, lines } = await runHere([...words(), "--db", path]);
        expect([code, notes], lines.join("\n")).to.deep.equal([0, []]);
      }
    });
  }

  it("`keys revoke` exits with 74 and one line", async () => {
    const { code, notes } = await runHere(["keys", "revoke", person.keyId, "--db", file.path]);
    expect([code, notes.length], notes.join("\n")).to.deep.equal([74, 1]);
    expect(notes[0]).to.contain("the file cannot be written");
  });
});
