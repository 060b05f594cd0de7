import { expect } from "chai";
import { RateLimiter } from "../../src/access/rate-limiter.ts";
import { minuteMs } from "../../src/values/time/calendar.ts";
import { noon } from "./world.ts";

const minute = noon + 7 * minuteMs;

describe("the minute limiter", () => {
  let limiter: RateLimiter;
  beforeEach(() => {
    limiter = new RateLimiter();
  });

  function fill(account: string, limit: number, at: number): void {
    for (let taken = 0; taken < limit; taken += 1) expect(limiter.take(account, limit, at).admitted).to.equal(true);
  }

  for (const [at, seconds] of [
    [0, 60],
    [1, 60],
    [999, 60],
    [1000, 59],
    [30_000, 30],
    [58_999, 2],
    [59_000, 1],
    [59_999, 1],
  ] as const) {
    it(`the minute limiter says to wait ${seconds} s when ${at} ms of the minute have passed, and then admits`, () => {
      fill("a", 2, minute + at);
      const refusal = limiter.take("a", 2, minute + at);
      expect(refusal).to.include({ admitted: false, retryAfterS: seconds });
      expect(limiter.take("a", 2, minute + at + refusal.retryAfterS * 1000).admitted).to.equal(true);
    });
  }

  it("the minute limiter counts a request that began before the boundary in its own minute", () => {
    fill("a", 2, minute);
    fill("a", 2, minute + minuteMs);
    expect(limiter.take("a", 2, minute + minuteMs - 1).admitted).to.equal(false);
    expect(limiter.take("a", 2, minute + minuteMs + 1).admitted).to.equal(false);
  });

  it("the minute limiter obeys a smaller limit at once", () => {
    fill("a", 5, minute);
    expect(limiter.take("a", 3, minute)).to.include({ admitted: false, remaining: 0 });
    expect(limiter.remaining("a", 3, minute)).to.equal(0);
  });

  it("the minute limiter gives one attempt back, and never more than was taken", () => {
    fill("a", 2, minute);
    limiter.giveBack("a", minute);
    expect(limiter.remaining("a", 2, minute)).to.equal(1);
    limiter.giveBack("a", minute);
    limiter.giveBack("a", minute);
    expect(limiter.remaining("a", 2, minute)).to.equal(2);
  });

  it("the minute limiter keeps no account longer than two minutes", () => {
    for (let index = 0; index < 1000; index += 1) limiter.take(`a${index}`, 2, minute);
    limiter.take("b", 2, minute + minuteMs);
    expect(limiter.size).to.equal(1001);
    limiter.take("b", 2, minute + 2 * minuteMs);
    expect(limiter.size).to.equal(2);
    limiter.take("b", 2, minute + 9 * minuteMs);
    expect(limiter.size).to.equal(1);
  });

  it("the minute limiter works after a clock set back, with waits that still end in the minute", () => {
    fill("a", 2, minute);
    const past = minute - 50 * minuteMs;
    fill("a", 2, past);
    expect(limiter.take("a", 2, past)).to.include({ admitted: false, retryAfterS: 60 });
  });

  it("the minute limiter, after a clock set back over a boundary, says to wait past a minute that is used up already", () => {
    fill("a", 2, minute);
    const past = minute - 19_000;
    fill("a", 2, past);
    fill("b", 2, past);
    expect(limiter.take("b", 2, past).retryAfterS).to.equal(19);
    const refusal = limiter.take("a", 2, past);
    expect(refusal).to.include({ admitted: false, retryAfterS: 79 });
    expect(limiter.take("a", 2, past + refusal.retryAfterS * 1000 - 1).admitted).to.equal(false);
    expect(limiter.take("a", 2, past + refusal.retryAfterS * 1000).admitted).to.equal(true);
  });

  it("reading the allowance of the minute does not count", () => {
    expect(limiter.remaining("a", 2, minute)).to.equal(2);
    fill("a", 2, minute);
    expect(limiter.remaining("b", 2, minute)).to.equal(2);
    limiter.remaining("a", 2, minute - 50 * minuteMs);
    limiter.giveBack("a", minute + 50 * minuteMs);
    expect(limiter.take("a", 2, minute).admitted).to.equal(false);
  });
});
