import { expect } from "chai";
import { pagesKeyId } from "../../../src/access/credentials.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import { onEachStore } from "../stores.ts";
import type { Person } from "../world.ts";

onEachStore("ledger charge for a page", (world, engine) => {
  let person: Person;
  beforeEach(async () => {
    person = await owner("ann");
  });

  async function owner(login: string): Promise<Person> {
    const made = await world.person("builder");
    const text = "INSERT INTO owners (account_id, login, created_at) VALUES (?, ?, 0)";
    await world.sql(text, made.accountId, login);
    return made;
  }
  async function sessionOf(tag: string, endedAt: number | null = null, { accountId } = person): Promise<string> {
    const hash = Buffer.alloc(32, tag);
    const { at } = world.clock;
    const text = `INSERT INTO owner_sessions (session_hash, account_id, signed_in_at, expires_at, ended_at)
          VALUES (?, ?, ?, ?, ?)`;
    await world.sql(text, hash, accountId, at, at + hourMs, endedAt);
    return hash.toString("hex");
  }
  const chargeOf = (of: Person, session: string | null) =>
    world.charge({ ...of, keyId: pagesKeyId(of.accountId) }, world.clock.at, { session });
  const pay = (session: string | null, { at = world.clock.at, plan = "free" as "free" | "paid", of = person } = {}) =>
    world.pay({ ...of, keyId: pagesKeyId(of.accountId) }, at, { session, plan });
  const refused = { kind: "refused", code: "invalid_api_key", retryAfterS: null, month: null };

  it("counts a page in the account's month and records the day", async () => {
    const [first, second] = [await sessionOf("a"), await sessionOf("b")];
    await world.pay(person);
    expect(await pay(first)).to.include({ kind: "charged", used: 2 });
    const both = await world.commit([first, second].map((session) => chargeOf(person, session)));
    expect(both.map((reply) => reply.kind)).to.deep.equal(["charged", "charged"]);
    expect([await world.monthUsed(person), await world.events(person)]).to.deep.equal([4, 4]);
    const uses = await world.sql("SELECT key_id, day FROM key_uses ORDER BY key_id");
    const day = Math.floor(world.clock.at / dayMs);
    expect(uses).to.deep.equal([
      { key_id: person.keyId, day },
      { key_id: pagesKeyId(person.accountId), day },
    ]);
  });

  it("is refused like an unknown key for an ended or foreign session", async () => {
    const other = await owner("bob");
    const session = await sessionOf("a");
    const { at } = world.clock;
    expect(await pay(await sessionOf("b", at - 1))).to.deep.equal(refused);
    expect(await pay(Buffer.alloc(32, "none").toString("hex"))).to.deep.equal(refused);
    expect(await pay(await sessionOf("c", null, other))).to.deep.equal(refused);
    expect(await pay(session, { of: other })).to.deep.equal(refused);
    expect((await pay(session, { at: at + hourMs - 1 })).kind).to.equal("charged");
    expect(await pay(session, { at: at + hourMs })).to.deep.equal(refused);
    expect([await world.events(person), await world.events(other)]).to.deep.equal([1, 0]);
  });

  it("judges each page of a batch by its own session", async () => {
    const other = await owner("bob");
    const replies = await world.commit([
      chargeOf(person, await sessionOf("a")),
      chargeOf(person, await sessionOf("b", world.clock.at - 1)),
      chargeOf(other, await sessionOf("c", null, other)),
    ]);
    expect(replies.map(({ kind }) => kind)).to.deep.equal(["charged", "refused", "charged"]);
    expect([await world.monthUsed(person), await world.monthUsed(other)]).to.deep.equal([1, 1]);
  });

  it("applies changes made between the session check and the charge", async () => {
    const session = await sessionOf("a");
    await world.accounts.setPlan(person.accountId, "free", null);
    expect(await pay(session, { plan: "paid" })).to.include({ code: "plan_upgrade_required" });
    await world.accounts.disable(person.accountId);
    expect(await pay(session)).to.include({ code: "account_disabled" });
    expect(await world.events(person)).to.equal(0);
  });

  // A demo is a file, so PostgreSQL has no demo visitors.
  if (engine === "the file")
    it("charges a demo visit to its account, which may change meanwhile", async () => {
      await world.pay(person);
      expect(await pay(null)).to.include({ kind: "charged", used: 2 });
      await world.accounts.setPlan(person.accountId, "free", null);
      expect(await pay(null, { plan: "paid" })).to.include({ code: "plan_upgrade_required" });
      await world.accounts.disable(person.accountId);
      expect(await pay(null)).to.include({ code: "account_disabled" });
      expect([await world.monthUsed(person), await world.events(person)]).to.deep.equal([2, 2]);
    });
  else
    it("is refused without a session like an unknown key", async () => {
      expect(await pay(null)).to.deep.equal(refused);
      expect(await world.events(person)).to.equal(0);
    });
});
