import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { Credentials } from "../../src/access/credentials.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { openReader } from "../../src/store/database.ts";
import { type Person, World } from "../access/world.ts";
import { runHere } from "../support/cli.ts";

describe("revocations during a restore", () => {
  let world: World;
  let people: Person[];
  let backup: string;
  beforeEach(async () => {
    world = new World();
    people = ["builder", "builder", "quant", "quant"].map((plan) => world.person(plan));
    backup = join(world.folder, "backup.db");
    expect((await runHere(["db", "backup", backup, "--db", world.path])).code).to.equal(0);
    world.keys.revoke(people[0]!.keyId);
    world.keys.rotate(people[1]!.keyId);
    world.accounts.disable(people[2]!.accountId);
    world.reader.$client.close();
    world.database.$client.close();
  });
  afterEach(() => rmSync(world.folder, { recursive: true, force: true }));

  /** The file's result for each key's secret from before the backup. */
  async function answers(): Promise<string[]> {
    const reader = openReader(world.path);
    const credentials = new Credentials(reader);
    const seen = people.map(({ secret }) => {
      try {
        return credentials.identify(`Bearer ${secret}`, world.clock.at).plan;
      } catch (error) {
        return (error as { code: string }).code;
      }
    });
    reader.$client.close();
    return seen;
  }

  it("are named with each key and account that becomes valid again", async () => {
    const { code, lines } = await runHere(["db", "restore", backup, "--force", "--db", world.path]);
    expect(code).to.equal(0);
    const text = lines.join("\n");
    expect(text).to.include("3 keys and accounts that were closed since the backup are open again:");
    expect(text).to.match(new RegExp(`${people[0]!.keyId} \\(key\\), a revoked key`));
    expect(text).to.match(new RegExp(`${people[1]!.keyId} \\(key\\), a rotated key`));
    expect(text).to.match(new RegExp(`${people[2]!.accountId} \\(quant account\\), a disabled account`));
    expect(text).to.include("--keep-revocations-from");
    expect(await answers()).to.deep.equal(["builder", "builder", "quant", "quant"]);
  });

  it("stay in force with --keep-revocations-from, in a sound file", async () => {
    const words = ["db", "restore", backup, "--force", "--keep-revocations-from", world.path, "--db", world.path];
    const { code, lines } = await runHere(words);
    expect(code).to.equal(0);
    expect(lines.join("\n")).to.include(`3 keys and accounts stay closed as in ${world.path}.`);
    expect(lines.join("\n")).to.not.include("open again");
    expect(await answers()).to.deep.equal(["revoked_api_key", "invalid_api_key", "account_disabled", "quant"]);
    expect(checkDatabase(world.path).faults).to.deep.equal([]);
  });

  it("are reported as unknown if the old file cannot be read", async () => {
    for (const suffix of ["-wal", "-shm"]) rmSync(world.path + suffix, { force: true });
    writeFileSync(world.path, "not a database".repeat(500), { mode: 0o600 });
    const { code, lines } = await runHere(["db", "restore", backup, "--force", "--db", world.path]);
    expect(code).to.equal(0);
    expect(lines.join("\n")).to.include("so the lost revocations since the backup are unknown");
  });
});
