import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { backupDatabase } from "../../src/store/file/backup.ts";
import { FaultFile, type Person } from "../faults/fault-file.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { casesBySize } from "../support/size.ts";
import { SmallDisk } from "../support/small-disk.ts";

const diskBytes = 16 * 1024 * 1024;
/** Room that is left: none, less than a log needs, and enough for its first pages. */
const rooms = [0, 32 * 1024, 128 * 1024];

describe("commands on a full disk", function () {
  this.timeout(60_000);
  let disk: SmallDisk | null = null;
  let file: FaultFile;
  let person: Person;
  let feed: string;
  let backup: string;

  before(async function () {
    disk = SmallDisk.mount(this, diskBytes);
    file = new FaultFile({ folder: disk.folder, fewItems: true });
    person = file.person();
    feed = join(temporaryFolder(), "steam.json");
    const names = file.change(({ $client }) =>
      $client.prepare("SELECT market_hash_name FROM items GROUP BY 1 HAVING count(*) = 1").pluck().all(),
    ) as string[];
    backup = join(temporaryFolder(), "backup.db");
    await backupDatabase(file.path, backup);
    const metadata = { updated_at: new Date().toISOString(), currency: "USD", item_count: names.length };
    const prices = Object.fromEntries(names.map((name, index) => [name, 100 + index]));
    writeFileSync(feed, JSON.stringify({ metadata, prices }));
  });
  after(() => disk?.unmount());
  beforeEach(() => disk?.clear());

  const commands: [string, () => string[]][] = [
    ["import quotes", () => ["import", "quotes", feed, "--adapter", "steam", "--accept", "price_level"]],
    ["roi calculate", () => ["roi", "calculate"]],
    ["db migrate", () => ["db", "migrate"]],
    ["db backup", () => ["db", "backup", join(file.folder, "copy.db")]],
    ["db restore", () => ["db", "restore", backup, "--force"]],
    ["keys revoke", () => ["keys", "revoke", person.keyId]],
    ["accounts create", () => ["accounts", "create", "Somebody"]],
  ];
  for (const [name, words] of casesBySize(commands, 3)) {
    it(`\`${name}\` exits with 74 and one line, without changing the file`, async () => {
      const before = readdirSync(file.folder).filter((entry) => !/-(wal|shm)$|\.lock$/.test(entry));
      const codes: number[] = [];
      for (const room of rooms) {
        disk!.fill(room);
        const { code, notes } = await runHere([...words(), "--db", file.path]);
        codes.push(code);
        if (code === 0) continue;
        expect([code, notes.length], notes.join("\n")).to.deep.equal([74, 1]);
        expect(notes[0])
          .to.match(/^itemtape: .*full.*; free some space/)
          .and.to.not.contain("\n");
      }
      if (name !== "db migrate") expect(codes[0]).to.equal(74);
      disk!.clear();
      expect(readdirSync(file.folder).filter((entry) => !/-(wal|shm)$|\.lock$/.test(entry))).to.deep.equal(before);
      const { code, lines } = await runHere(["db", "check", "--db", file.path]);
      expect(code, lines.join("\n")).to.equal(0);
    });
  }
});
