import { expect } from "chai";
import { type OpenPortfolio, PortfoliosStore } from "../../src/store/read/portfolios.ts";
import { Random } from "../sim/random.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { compare } from "../support/timing.ts";
import { portfolioOperations } from "./portfolio-people.ts";
import { openTimingWorld, realRelations, type TimingWorld, timingRing } from "./portfolio-timing.ts";

const rounds = 150;
/** Operations with compared responses. */
const tried = casesBySize(portfolioOperations, 1);
/** The additional duration of a response for an existing portfolio: large enough to be measured on a busy machine. */
const leakUs = 1000;

describe("response time of unreadable portfolios", () => {
  let subject: TimingWorld;
  before(async () => {
    subject = await openTimingWorld();
  });
  after(() => subject.world.stop());

  itLong("does not reveal whether the portfolio exists", async () => {
    const { reported, verdicts } = await timingRing(subject, { rounds, seed: 1, operations: tried });
    expect(reported).to.deep.equal([]);
    expect(verdicts).to.have.length(7 * tried.length);
  });

  itLong("has a comparison that detects one extra millisecond for existing portfolios", async () => {
    const { open } = PortfoliosStore.prototype;
    const exists = new Set(realRelations.flatMap((relation) => subject.ids[relation]));
    PortfoliosStore.prototype.open = function <T>(
      this: PortfoliosStore,
      portfolioId: string,
      reader: Parameters<typeof open>[1],
      work: (portfolio: OpenPortfolio) => T,
    ): T | null {
      if (exists.has(portfolioId)) spin(leakUs);
      return open.call(this, portfolioId, reader, work as never) as T | null;
    };
    try {
      const { reported } = await timingRing(subject, { rounds, seed: 2, operations: ["getPortfolio"] });
      expect(reported.map(({ relation }) => relation).sort()).to.deep.equal(realRelations);
    } finally {
      PortfoliosStore.prototype.open = open;
    }
  });

  itLong("has a comparison that detects a shift hidden by outliers", () => {
    const random = new Random(3);
    const noisy = () => 100 + 40 * random.next() + (random.chance(0.02) ? 20_000 * random.next() : 0);
    const sample = (shift: number) => Array.from({ length: rounds }, () => noisy() + shift);
    const ps = Array.from({ length: 24 }, () => compare(sample(0), sample(0), random).p);
    expect(ps.filter((p) => p < 0.5).length).to.be.within(4, 20);
    expect(Math.min(...ps)).to.be.greaterThan(0.001);
    expect(compare(sample(10), sample(0), random).p).to.be.lessThan(0.001);
    expect(compare(sample(0), sample(10), random).medianUs).to.be.within(-15, -5);
  });
});

function spin(us: number): void {
  const until = process.hrtime.bigint() + BigInt(us * 1000);
  while (process.hrtime.bigint() < until);
}
