import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { keyDays } from "../../src/access/keys.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";
import { casesBySize } from "../support/size.ts";
import { onEachStore } from "./stores.ts";
import { failureOf, noon, World } from "./world.ts";

const month = 30 * dayMs;

onEachStore("account", (world, engine) => {
  let accountId: string;
  beforeEach(async () => {
    accountId = await world.account("Example Ltd");
  });

  it("starts on Free, without keys or usage", async () => {
    const made = await world.accounts.create("Example Ltd");
    expect(made.accountId)
      .to.match(/^acc_[0-9A-Za-z]{20}$/)
      .and.not.equal(accountId);
    expect(await world.accounts.show(made.accountId)).to.deep.include({
      accountId: made.accountId,
      name: "Example Ltd",
      plan: "free",
      planEndsAt: null,
      disabledAt: null,
      createdAt: noon,
      keys: 0,
    });
  });

  it("extends the plan from its end when the same plan is purchased", async () => {
    expect(await world.accounts.purchase(accountId, "builder")).to.include({
      plan: "builder",
      planEndsAt: noon + month,
    });
    world.clock.at = noon + 3 * dayMs;
    expect((await world.accounts.purchase(accountId, "builder")).planEndsAt).to.equal(noon + 2 * month);
  });

  it("switches to another purchased plan at once, for 30 days", async () => {
    await world.accounts.purchase(accountId, "builder");
    world.clock.at = noon + 3 * dayMs;
    expect(await world.accounts.purchase(accountId, "trader")).to.include({
      plan: "trader",
      planEndsAt: noon + 3 * dayMs + month,
    });
  });

  it("starts a purchase now if the plan ended a millisecond ago", async () => {
    await world.accounts.purchase(accountId, "builder");
    world.clock.at = noon + month - 1;
    expect((await world.accounts.show(accountId)).plan).to.equal("builder");
    world.clock.at = noon + month;
    expect(await world.accounts.show(accountId)).to.include({ plan: "free", planEndsAt: null });
    expect((await world.accounts.purchase(accountId, "builder")).planEndsAt).to.equal(noon + 2 * month);
  });

  it("records each purchase with its period", async () => {
    await world.accounts.purchase(accountId, "builder");
    await world.accounts.purchase(accountId, "builder");
    const rows = await world.sql("SELECT plan, purchased_at, starts_at, ends_at FROM purchases ORDER BY purchase_id");
    expect(rows).to.deep.equal([
      { plan: "builder", purchased_at: noon, starts_at: noon, ends_at: noon + month },
      { plan: "builder", purchased_at: noon, starts_at: noon + month, ends_at: noon + 2 * month },
    ]);
  });

  it("accepts a plan set by hand, with or without an end", async () => {
    expect(await world.accounts.setPlan(accountId, "quant", null)).to.include({ plan: "quant", planEndsAt: null });
    expect(await world.accounts.setPlan(accountId, "trader", noon + 5)).to.include({
      plan: "trader",
      planEndsAt: noon + 5,
    });
    expect(await world.accounts.setPlan(accountId, "free", null)).to.include({ plan: "free", planEndsAt: null });
  });

  it("disables and enables the account, each once", async () => {
    expect((await world.accounts.disable(accountId)).disabledAt).to.equal(noon);
    expect((await failureOf(() => world.accounts.disable(accountId))).message).to.contain("already disabled");
    expect((await world.accounts.enable(accountId)).disabledAt).to.equal(null);
    expect((await failureOf(() => world.accounts.enable(accountId))).message).to.contain("not disabled");
  });

  it("lists the account's activity, newest first", async () => {
    await world.accounts.purchase(accountId, "builder");
    await world.accounts.setPlan(accountId, "trader", noon + month);
    await world.accounts.setPlan(accountId, "quant", null);
    await world.accounts.disable(accountId);
    await world.accounts.enable(accountId);
    const records = await world.accounts.activity(accountId, 5);
    expect(records.map((record) => [record.kind, record.at, record.detail])).to.deep.equal([
      ["account_enabled", noon, null],
      ["account_disabled", noon, null],
      ["plan_changed", noon, "quant"],
      ["plan_changed", noon, `trader until ${toTimestamp(noon + month)}`],
      ["plan_purchased", noon, `builder until ${toTimestamp(noon + month)}`],
    ]);
    expect((await world.accounts.activity(accountId, 100)).at(-1)?.kind).to.equal("account_created");
  });

  const mistakes: [string, () => Promise<unknown>, string][] = [
    ["an unknown account shown", () => world.accounts.show("acc_x"), "unknown account `acc_x`"],
    ["an unknown account changed", () => world.accounts.setPlan("acc_x", "builder", null), "unknown account `acc_x`"],
    ["an unknown account that buys", () => world.accounts.purchase("acc_x", "builder"), "unknown account `acc_x`"],
    ["an unknown account disabled", () => world.accounts.disable("acc_x"), "unknown account `acc_x`"],
    ["an unknown account's activity", () => world.accounts.activity("acc_x", 1), "unknown account `acc_x`"],
    [
      "an unknown plan",
      () => world.accounts.setPlan(accountId, "gold", null),
      "unknown plan `gold`; the plans are free, builder",
    ],
    ["a bought Free", () => world.accounts.purchase(accountId, "free"), "cannot be bought"],
    ["Free with an end", () => world.accounts.setPlan(accountId, "free", noon + 1), "has no end"],
    ["an end that is past", () => world.accounts.setPlan(accountId, "builder", noon), "not in the future"],
    ["an empty name", () => world.accounts.create("  "), "the account's name must have 1 to 80 characters"],
    ["a name too long", () => world.accounts.create("x".repeat(81)), "1 to 80 characters"],
    ["a name with a line feed", () => world.accounts.create("a\nb"), "no control characters"],
    ["a name with an escape", () => world.accounts.create("a\u001b[2Jb"), "no control characters"],
    [
      "an endless plan that is bought",
      async () => {
        await world.accounts.setPlan(accountId, "builder", null);
        await world.accounts.purchase(accountId, "builder");
      },
      "cannot be extended",
    ],
  ];
  for (const [name, mistake, description] of engine === "the file" ? mistakes : casesBySize(mistakes, 4)) {
    it(`refuses a wrong account command with a reason and no change: ${name}`, async () => {
      const failure = await failureOf(mistake);
      expect(failure).to.be.instanceOf(OperatorError);
      expect(failure.message).to.contain(description);
      const counts = "SELECT (SELECT count(*) FROM purchases) AS bought, (SELECT count(*) FROM accounts) AS made";
      expect(await world.sql(counts)).to.deep.equal([{ bought: 0, made: 1 }]);
    });
  }
});

onEachStore("key", (world, engine) => {
  let accountId: string;
  beforeEach(async () => {
    accountId = await world.account("Example Ltd");
  });

  for (const days of keyDays) {
    it(`expires ${days} days after its creation, to the millisecond`, async () => {
      const { key, secret } = await world.keys.create(accountId, "build", days);
      expect(key).to.include({ kind: "project", name: "build", createdAt: noon, expiresAt: noon + days * dayMs });
      expect(key.scopes).to.deep.equal(["market:read"]);
      const person = { accountId, keyId: key.keyId, secret };
      expect((await world.identify(person, key.expiresAt - 1)).keyId).to.equal(key.keyId);
      expect((await failureOf(() => world.identify(person, key.expiresAt))).code).to.equal("expired_api_key");
    });
  }

  it("is recognisable in a list without its secret", async () => {
    const { key, secret } = await world.keys.create(accountId, "build", 7);
    expect(key.display).to.equal(`${secret.slice(0, 18)}…${secret.slice(-4)}`);
    expect(await world.keys.list(accountId)).to.deep.equal([key]);
  });

  it("keeps everything but its secret when rotated; the old secret stops working", async () => {
    const { key, secret } = await world.keys.create(accountId, "build", 30);
    world.clock.at = noon + dayMs;
    const rotated = await world.keys.rotate(key.keyId);
    expect(rotated.secret).to.not.equal(secret);
    expect(rotated.key).to.deep.equal({ ...key, display: rotated.key.display, rotatedAt: noon + dayMs });
    await world.keys.rotate(key.keyId);
    for (const old of [secret, rotated.secret]) {
      const failure = await failureOf(() => world.identify({ secret: old }));
      expect(failure.code).to.equal("invalid_api_key");
    }
  });

  it("cannot be rotated or revoked again after it is revoked", async () => {
    const { key } = await world.keys.create(accountId, "build", 30);
    expect((await world.keys.revoke(key.keyId)).revokedAt).to.equal(noon);
    world.clock.at = noon + 1;
    expect((await world.keys.revoke(key.keyId)).revokedAt).to.equal(noon);
    expect((await failureOf(() => world.keys.rotate(key.keyId))).message).to.contain("is revoked");
    expect((await world.accounts.activity(accountId, 10)).map((record) => record.kind)).to.deep.equal([
      "key_revoked",
      "key_created",
      "account_created",
    ]);
  });

  it("cannot be rotated after it expires", async () => {
    const { key } = await world.keys.create(accountId, "build", 7);
    world.clock.at = key.expiresAt;
    expect((await failureOf(() => world.keys.rotate(key.keyId))).message).to.contain("has expired");
  });

  const mistakes: [string, () => Promise<unknown>, string][] = [
    ["an unknown account", () => world.keys.create("acc_x", "build", 7), "unknown account `acc_x`"],
    ["an unknown account's list", () => world.keys.list("acc_x"), "unknown account `acc_x`"],
    ["other days", () => world.keys.create(accountId, "build", 31), "7, 30, 90 days, not 31"],
    ["an empty name", () => world.keys.create(accountId, "", 7), "1 to 80 characters"],
    ["an unknown key rotated", () => world.keys.rotate("key_x"), "unknown key `key_x`"],
    ["an unknown key revoked", () => world.keys.revoke("key_x"), "unknown key `key_x`"],
  ];
  for (const [name, mistake, description] of engine === "the file" ? mistakes : casesBySize(mistakes, 2)) {
    it(`refuses a wrong key command with a reason: ${name}`, async () => {
      const failure = await failureOf(mistake);
      expect(failure).to.be.instanceOf(OperatorError);
      expect(failure.message).to.contain(description);
    });
  }
});

describe("key secrets in the file", () => {
  it("no 16 bytes of a secret reach file, log or shared memory", () => {
    const world = new World();
    const { accountId } = world.accounts.create("Example Ltd");
    const secrets: string[] = [];
    for (let made = 0; made < 4; made += 1) {
      const { key, secret } = world.keys.create(accountId, `key ${made}`, 7);
      secrets.push(secret, world.keys.rotate(key.keyId).secret);
      world.identify({ accountId, keyId: key.keyId, secret: secrets.at(-1) ?? "" });
      world.keys.revoke(key.keyId);
    }
    const files = readdirSync(world.folder).map((name) => readFileSync(join(world.folder, name), "latin1"));
    expect(files.length).to.be.at.least(3);
    expect(files.some((text) => text.includes("key_rotated"))).to.equal(true);
    for (const secret of secrets) {
      for (let from = 0; from + 16 <= secret.length; from += 1) {
        const part = secret.slice(from, from + 16);
        expect(files.some((text) => text.includes(part))).to.equal(false);
      }
    }
    world.close();
  });
});
