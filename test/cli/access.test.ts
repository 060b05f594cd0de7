import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { plans } from "../../src/access/plans.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { systemClock, toTimestamp } from "../../src/values/time/clock.ts";
import { jsonOf, type RanHere, runCli, runHere } from "../support/cli.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";

const secretPattern = /\b[a-z]+_live_[0-9A-Za-z]{20,}/;

describe("accounts and keys on the command line", () => {
  const folder = temporaryFolder();
  const empty = join(folder, "empty.db");
  let path: string;
  let count = 0;
  const json = (...words: string[]) => jsonOf(...words, "--db", path);
  const here = (words: string[], isTerminal = false): Promise<RanHere> =>
    runHere([...words, "--db", path], { isTerminal });
  const account = async (name = "Ann"): Promise<string> => (await json("accounts", "create", name)).account_id;

  before(() => newDatabase(empty));
  beforeEach(() => {
    path = join(folder, `file-${++count}.db`);
    copyFileSync(empty, path);
  });

  it("starts an account on Free; purchases add 30 days each", async () => {
    const accountId = await account("  Ann  ");
    expect(await json("accounts", "show", accountId)).to.include({
      name: "Ann",
      plan: "free",
      plan_ends_at: null,
      monthly_used: 0,
      monthly_limit: plans.free.requestsPerMonth,
      keys: 0,
    });
    const first = await json("accounts", "purchase", accountId, "trader");
    const second = await json("accounts", "purchase", accountId, "trader");
    expect(first).to.include({ account_id: accountId, plan: "trader" });
    expect(Date.parse(first.plan_ends_at) - systemClock.now()).to.be.within(29.9 * dayMs, 30 * dayMs);
    expect(Date.parse(second.plan_ends_at) - Date.parse(first.plan_ends_at)).to.equal(30 * dayMs);
    const other = await json("accounts", "purchase", accountId, "quant");
    expect(Date.parse(other.plan_ends_at)).to.be.below(Date.parse(second.plan_ends_at));
  });

  it("ends a plan set by hand at --until, or never", async () => {
    const accountId = await account();
    const day = toTimestamp(systemClock.now() + 40 * dayMs).slice(0, 10);
    expect(await json("accounts", "plan", accountId, "builder", "--until", day)).to.include({
      plan: "builder",
      plan_ends_at: `${day}T00:00:00.000Z`,
    });
    expect(await json("accounts", "plan", accountId, "quant")).to.include({ plan: "quant", plan_ends_at: null });
    const past = await here(["accounts", "plan", accountId, "builder", "--until", "2020-01-01"]);
    expect(past).to.deep.include({ code: 64, lines: [] });
    expect(past.notes[0]).to.include("2020-01-01T00:00:00.000Z is not in the future");
    expect((await json("accounts", "show", accountId)).plan).to.equal("quant");
  });

  it("creates a key, lists it without its secret, rotates and revokes it", async () => {
    const accountId = await account();
    const made = await json("keys", "create", accountId, "--name", "ci", "--days", "7");
    expect(made).to.include({ account_id: accountId, kind: "project", name: "ci", rotated_at: null, revoked_at: null });
    expect(made.secret).to.match(secretPattern);
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).to.equal(7 * dayMs);
    const rotated = await json("keys", "rotate", made.key_id);
    expect(rotated.secret).to.match(secretPattern).and.not.equal(made.secret);
    expect(rotated).to.include({ key_id: made.key_id, expires_at: made.expires_at });
    const revoked = await json("keys", "revoke", made.key_id);
    expect(revoked.revoked_at).to.be.a("string");
    expect(await json("keys", "revoke", made.key_id)).to.deep.equal(revoked);
    const [listed] = await json("keys", "list", accountId);
    expect(listed).to.deep.equal(revoked);
    expect(listed).to.not.have.property("secret");
    const again = await here(["keys", "rotate", made.key_id, "--json"]);
    expect(again.code).to.equal(65);
    expect(again.notes[0]).to.include(`key ${made.key_id} is revoked; create a new one`);
  });

  it("lists an account's activity newest first, without any secret", async () => {
    const accountId = await account();
    const made = await json("keys", "create", accountId);
    const rotated = await json("keys", "rotate", made.key_id);
    await json("keys", "revoke", made.key_id);
    await json("accounts", "purchase", accountId, "builder");
    await json("accounts", "disable", accountId);
    await json("accounts", "enable", accountId);
    const activity = await json("keys", "activity", accountId);
    expect(activity.map(({ kind }: { kind: string }) => kind)).to.deep.equal([
      "account_enabled",
      "account_disabled",
      "plan_purchased",
      "key_revoked",
      "key_rotated",
      "key_created",
      "account_created",
    ]);
    const table = (await here(["keys", "activity", accountId])).lines;
    expect(table[0]).to.match(/^AT +WHAT +KEY +DETAIL$/);
    for (const secret of [made.secret, rotated.secret])
      expect(JSON.stringify([activity, table])).to.not.include(secret);
  });

  it("creates or rotates a key only for a terminal or --json", async () => {
    const accountId = await account();
    const refused = await here(["keys", "create", accountId]);
    expect(refused).to.deep.include({ code: 64, lines: [] });
    expect(refused.notes[0]).to.include("--json prints it anyway");
    expect(await json("keys", "list", accountId)).to.deep.equal([]);
    const shown = await here(["keys", "create", accountId], true);
    expect(shown.lines.join("\n")).to.match(secretPattern).and.to.include("cannot be shown again");
    const [key] = await json("keys", "list", accountId);
    expect((await here(["keys", "rotate", key.key_id])).code).to.equal(64);
    expect((await json("keys", "list", accountId))[0]).to.deep.equal(key);
  });

  it("leaves no secret in file, log or standard error in any encoding", async () => {
    const accountId = await account();
    const made = await runCli(["keys", "create", accountId, "--json", "--db", path]);
    expect(made).to.include({ code: 0, stderr: "" });
    const { secret } = JSON.parse(made.stdout);
    const refused = await here(["keys", "create", accountId]);
    expect(refused).to.deep.include({ code: 64, lines: [] });
    expect(refused.notes.join("\n")).to.not.match(secretPattern);
    const stored = readdirSync(folder).filter((name) => name.startsWith(`file-${count}.db`));
    for (const name of stored) {
      const bytes = readFileSync(join(folder, name)).toString("latin1");
      for (const form of [
        secret,
        secret.slice(-30),
        Buffer.from(secret).toString("hex"),
        Buffer.from(secret).toString("base64"),
      ]) {
        expect(bytes.includes(form), name).to.equal(false);
      }
    }
  });

  const unknown: [string[], RegExp][] = [
    [["accounts", "show", "acc_none"], /unknown account `acc_none`/],
    [["accounts", "usage", "owner"], /unknown account `owner`; write its id, as `npx itemtape accounts list`/],
    [["accounts", "purchase", "acc_none", "builder"], /unknown account `acc_none`/],
    [["keys", "list", "acc_none"], /unknown account `acc_none`/],
    [["keys", "create", "acc_none", "--json"], /unknown account `acc_none`/],
    [["keys", "revoke", "key_none"], /unknown key `key_none`/],
  ];
  for (const [words, description] of unknown) {
    it(`refuses and names \`${words.join(" ")}\` with exit code 65`, async () => {
      const { code, lines, notes } = await here(words);
      expect({ code, lines }).to.deep.equal({ code: 65, lines: [] });
      expect(notes.join("\n")).to.match(description).and.not.include("\n");
    });
  }
});
