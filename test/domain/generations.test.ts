import { expect } from "chai";
import { GenerationWaiters } from "../../src/domain/generation-waiters.ts";
import { Generations } from "../../src/domain/generations.ts";
import { ExportStatesStore } from "../../src/store/read/export-states.ts";
import { GenerationsStore } from "../../src/store/read/generations.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { MarketFile } from "../support/market-file.ts";

const dayMs = 86_400_000;
const at = Date.UTC(2026, 0, 15, 12);

describe("published generations", () => {
  const file = new MarketFile();
  const generations = new Generations({
    store: new GenerationsStore(file.reader),
    states: new ExportStatesStore(file.reader),
    waiters: new GenerationWaiters(new GenerationsStore(file.reader)),
    mayBeBehind: true,
  });
  const isKnown = (name: string, when: number): boolean => {
    try {
      expect(generations.read(name, when).data.generation).to.equal(name);
      return true;
    } catch (error) {
      expect(error).to.be.instanceOf(Failure).with.property("code", "generation_not_found");
      return false;
    }
  };

  before(() => {
    const [early, late] = [1, 2].map((amount) => ({ 1: { asks: [{ provider: "steam", amount }] } }));
    file.item(1);
    file.publish(3, at - 100 * dayMs, early!);
    file.publish(7, at, late!);
  });
  after(() => file.remove());

  it("expire by the next publication's time; newer ones are temporarily unavailable", () => {
    file.writer.$client.exec(
      `INSERT INTO generations (generation_id, state, created_at) VALUES (5, 'staging', 1), (9, 'staging', 1)`,
    );
    expect(isKnown("g3", at + 30 * dayMs)).to.equal(true);
    expect(isKnown("g3", at + 30 * dayMs + 1)).to.equal(false);
    expect(isKnown("g7", at + 9_999 * dayMs)).to.equal(true);
    for (const name of ["g5", "g4"]) expect(isKnown(name, at), name).to.equal(false);
    for (const name of ["g8", "g9", "g9999999999"]) {
      const detail = `path parameter \`generation\`: ${name} is newer than g7, which this server has; try again`;
      const refusal = { code: "service_unavailable", facts: { detail, retryAfterS: 3 } };
      expect(() => generations.read(name, at))
        .to.throw(Failure)
        .that.deep.includes(refusal);
    }
  });

  it("wake all waiting requests in several turns when the service ends", async () => {
    const waiters = new GenerationWaiters(new GenerationsStore(file.reader));
    let woken = 0;
    const wake = () => {
      woken += 1;
    };
    for (let count = 0; count < 150; count += 1) waiters.wait(7, 30_000, wake);
    const answered = waiters.close();
    expect([woken, waiters.count]).to.deep.equal([0, 0]);
    await new Promise(setImmediate);
    expect(woken).to.be.within(1, 149);
    await answered;
    expect(woken).to.equal(150);
  });

  it("wake a request only when newer than the generation it knows", async () => {
    const request = (after: number, waitMs = 1000) => generations.isUnchanged({ after, waitMs });
    expect([6, 7, 9].map((after) => request(after))).to.deep.equal([false, true, true]);
    expect(request(9, 0)).to.equal(false);
    const published = { id: 7 as number | null };
    const waiters = new GenerationWaiters({ currentId: () => published.id });
    const woken: number[] = [];
    for (const after of [7, 9]) waiters.wait(after, 30_000, () => void woken.push(after));
    const lookAt = async (id: number | null) => {
      published.id = id;
      waiters.look();
      await new Promise(setImmediate);
      return [...woken];
    };
    expect(await lookAt(6)).to.deep.equal([]);
    expect(await lookAt(8)).to.deep.equal([7]);
    expect(await lookAt(9)).to.deep.equal([7]);
    expect(await lookAt(10)).to.deep.equal([7, 9]);
    waiters.wait(10, 30_000, () => void woken.push(0));
    expect(await lookAt(null), "no market is left to wait for").to.deep.equal([7, 9, 0]);
  });

  it("have totals and a digest in lowercase hexadecimal digits", () => {
    const digest = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
    file.writer.$client.prepare("UPDATE generations SET digest = ? WHERE generation_id = 7").run(digest);
    const { data } = generations.read("g7", at);
    expect(data).to.deep.include({ ingested_at: "2026-01-15T12:00:00.000Z", items: 1, digest: digest.toString("hex") });
  });
});
