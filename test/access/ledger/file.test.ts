import { statSync } from "node:fs";
import { expect } from "chai";
import { acceptClock } from "../../../src/access/ledger/clock.ts";
import { openWriter } from "../../../src/store/database.ts";
import { Checkpoints } from "../../../src/store/file/checkpoints.ts";
import { LedgerStore } from "../../../src/store/write/ledger.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import { noon, type Person, World } from "../world.ts";

// Tests behaviour that only the file has. PostgreSQL has a separate clock, one instant per batch, and its own locks and checksums.
describe("ledger of the file", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World();
    person = world.person("builder");
  });
  afterEach(() => world.close());

  it("includes each charge in the checksum, even two in one millisecond", () => {
    const sums = [1, 2].map(() => {
      world.pay(person, noon);
      return new LedgerStore(world.database).clock();
    });
    expect(sums.map(({ at }) => at)).to.deep.equal([noon, noon]);
    expect(new Set([0, ...sums.map(({ unitsChecksum }) => unitsChecksum)]).size).to.equal(3);
  });

  it("checkpoints the log within its bound, for single and grouped charges", () => {
    const bytesMax = 2 * 1024 * 1024;
    const fewBytes = 12 * 4_120;
    world.database.$client.pragma("synchronous = OFF");
    for (const together of [1, 4]) {
      world.database.$client.pragma("wal_checkpoint(TRUNCATE)");
      const checkpoints = new Checkpoints(world.database, bytesMax, world.clock, () => {});
      for (let count = 0; count < 400; count += together) {
        world.transactions.commit(Array.from({ length: together }, () => world.charge(person)));
        checkpoints.afterCommit(together);
      }
      expect(statSync(`${world.path}-wal`).size, `${together} together`).to.be.within(
        bytesMax / 4,
        bytesMax / 2 + fewBytes,
      );
    }
  });

  it("writes a key's last used day once a day", () => {
    const writes = () => world.database.$client.prepare("SELECT total_changes()").pluck().get() as number;
    const costOf = (at: number) => {
      const before = writes();
      world.pay(person, at);
      return writes() - before;
    };
    const first = costOf(noon);
    expect(costOf(noon + 1)).to.equal(first - 1);
    expect(costOf(noon + dayMs / 2 - 1)).to.equal(first - 1);
    expect(costOf(noon + dayMs / 2)).to.equal(first);
  });

  it("limits a wait to 31 days when the clock is ahead", () => {
    world.database.$client.prepare("UPDATE api_keys SET expires_at = ?").run(noon + 365 * dayMs);
    const march = Date.UTC(2026, 2, 1);
    world.pay(person, march);
    world.database.$client.exec("UPDATE usage_months SET used = 10000");
    expect(world.pay(person, march - hourMs)).to.include({ retryAfterS: 31 * 86_400 });
  });

  it("charges after a clock setback of exactly an hour, not of more", () => {
    world.pay(person, noon);
    expect(world.pay(person, noon - hourMs)).to.include({ kind: "charged" });
    const refusal = world.pay(person, noon - hourMs - 1);
    expect(refusal).to.deep.equal({ kind: "refused", code: "service_unavailable", retryAfterS: 60, month: null });
    expect(world.reserve(person, noon - hourMs - 1)).to.include({ code: "service_unavailable" });
    expect(world.events(person)).to.equal(2);
  });

  it("lets an operator reset a clock that ran ahead, with its leases", () => {
    world.database.$client.prepare("UPDATE api_keys SET expires_at = ?").run(noon + 90 * dayMs);
    world.reserve(person, noon + 40 * dayMs, "req_a");
    expect(world.pay(person, noon)).to.include({ code: "service_unavailable" });
    expect(acceptClock(world.database, noon)).to.deep.equal({ aheadMs: 40 * dayMs, leasesEnded: 1 });
    expect(world.pay(person, noon)).to.include({ kind: "charged", used: 1 });
    expect(world.reserve(person, noon)).to.include({ kind: "charged", used: 2 });
    expect(acceptClock(world.database, noon + 1)).to.deep.equal({ aheadMs: 0, leasesEnded: 0 });
    expect(world.reserve(person, noon + 1)).to.include({ code: "snapshot_busy" });
  });

  it("keeps transactions durable however often the file is opened", () => {
    for (let opened = 0; opened < 3; opened += 1) {
      const writer = openWriter(world.path, 50);
      expect(writer.$client.pragma("synchronous", { simple: true })).to.equal(2);
      expect(writer.$client.pragma("journal_mode", { simple: true })).to.equal("wal");
      writer.$client.close();
    }
  });
});
