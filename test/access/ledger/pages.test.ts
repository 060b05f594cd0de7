import { expect } from "chai";
import { pagesKeyId } from "../../../src/access/credentials.ts";
import { dayMs, hourMs } from "../../../src/values/calendar.ts";
import { type Person, World } from "../world.ts";

describe("the ledger's charge for a page", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World();
    person = world.person("builder");
    const owner = world.database.$client.prepare("INSERT INTO owners (account_id, login, created_at) VALUES (?, ?, 0)");
    owner.run(person.accountId, "ann");
  });
  afterEach(() => world.close());

  const sessionOf = (tag: string, endedAt: number | null = null, { accountId } = person) => {
    const hash = Buffer.alloc(32, tag);
    const add = "INSERT INTO owner_sessions VALUES (?, ?, ?, ?, ?)";
    world.database.$client.prepare(add).run(hash, accountId, world.clock.at, world.clock.at + hourMs, endedAt);
    return hash.toString("hex");
  };
  const pay = (session: string | null, { at = world.clock.at, plan = "free" as "free" | "paid", of = person } = {}) =>
    world.pay({ ...of, keyId: pagesKeyId(of.accountId) }, at, { session, plan });

  it("a charge of a page counts in the month of the account and notes the day, like a key's", () => {
    const [first, second] = [sessionOf("a"), sessionOf("b")];
    world.pay(person);
    expect(pay(first)).to.include({ kind: "charged", used: 2 });
    const both = [first, second].map((session) =>
      world.charge({ ...person, keyId: pagesKeyId(person.accountId) }, world.clock.at, { session }),
    );
    expect(world.transactions.commit(both).map((reply) => reply.kind)).to.deep.equal(["charged", "charged"]);
    expect(pay(null)).to.include({ kind: "charged", used: 5 });
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([5, 5]);
    const uses = world.database.$client.prepare("SELECT key_id, day FROM key_uses ORDER BY key_id").all();
    const day = Math.floor(world.clock.at / dayMs);
    expect(uses).to.deep.equal([
      { key_id: person.keyId, day },
      { key_id: pagesKeyId(person.accountId), day },
    ]);
  });

  it("a session that was ended, is over or is another account's is refused like an unknown key", () => {
    const other = world.person("builder");
    world.database.$client
      .prepare("INSERT INTO owners (account_id, login, created_at) VALUES (?, 'bob', 0)")
      .run(other.accountId);
    const open = sessionOf("a");
    const refused = { kind: "refused", code: "invalid_api_key", retryAfterS: null, month: null };
    expect(pay(sessionOf("b", world.clock.at - 1))).to.deep.equal(refused);
    expect(pay(Buffer.alloc(32, "none").toString("hex"))).to.deep.equal(refused);
    expect(pay(sessionOf("c", null, other))).to.deep.equal(refused);
    expect(pay(open, { of: other })).to.deep.equal(refused);
    expect(pay(open, { at: world.clock.at + hourMs - 1 }).kind).to.equal("charged");
    expect(pay(open, { at: world.clock.at + hourMs })).to.deep.equal(refused);
    expect([world.events(person), world.events(other)]).to.deep.equal([1, 0]);
  });

  it("of several pages in one batch each is judged by its own session", () => {
    const other = world.person("builder");
    const add = "INSERT INTO owners (account_id, login, created_at) VALUES (?, 'bob', 0)";
    world.database.$client.prepare(add).run(other.accountId);
    const asked = [
      [person, sessionOf("a")],
      [person, sessionOf("b", world.clock.at - 1)],
      [other, sessionOf("c", null, other)],
    ] as const;
    const batch = asked.map(([of, session]) =>
      world.charge({ ...of, keyId: pagesKeyId(of.accountId) }, world.clock.at, { session }),
    );
    expect(world.transactions.commit(batch).map(({ kind }) => kind)).to.deep.equal(["charged", "refused", "charged"]);
    expect([world.monthUsed(person), world.monthUsed(other)]).to.deep.equal([1, 1]);
  });

  it("what was changed between the look at the session and its charge binds the charge", () => {
    const session = sessionOf("a");
    world.accounts.setPlan(person.accountId, "free", null);
    expect(pay(session, { plan: "paid" })).to.include({ code: "plan_upgrade_required" });
    expect(pay(null, { plan: "paid" })).to.include({ code: "plan_upgrade_required" });
    world.accounts.disable(person.accountId);
    expect(pay(session)).to.include({ code: "account_disabled" });
    expect(pay(null)).to.include({ code: "account_disabled" });
    expect(world.events(person)).to.equal(0);
  });
});
