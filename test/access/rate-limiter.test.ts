import { expect } from "chai";
import { RateLimiter } from "../../src/access/rate-limiter.ts";
import { minuteMs } from "../../src/values/time/calendar.ts";
import { noon } from "./world.ts";

const minute = noon + 7 * minuteMs;

describe("minute limiter", () => {
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
    it(`reports a wait of ${seconds} s at ${at} ms, then admits`, () => {
      fill("a", 2, minute + at);
      const refusal = limiter.take("a", 2, minute + at);
      expect(refusal).to.include({ admitted: false, retryAfterS: seconds });
      expect(limiter.take("a", 2, minute + at + refusal.retryAfterS * 1000).admitted).to.equal(true);
    });
  }

  it("counts a request in the minute in which it began", () => {
    fill("a", 2, minute);
    fill("a", 2, minute + minuteMs);
    expect(limiter.take("a", 2, minute + minuteMs - 1).admitted).to.equal(false);
    expect(limiter.take("a", 2, minute + minuteMs + 1).admitted).to.equal(false);
  });

  it("obeys a smaller limit at once", () => {
    fill("a", 5, minute);
    expect(limiter.take("a", 3, minute)).to.include({ admitted: false, remaining: 0 });
    expect(limiter.remaining("a", 3, minute)).to.equal(0);
  });

  it("gives one attempt back, and never more than were used", () => {
    fill("a", 2, minute);
    limiter.giveBack("a", minute);
    expect(limiter.remaining("a", 2, minute)).to.equal(1);
    limiter.giveBack("a", minute);
    limiter.giveBack("a", minute);
    expect(limiter.remaining("a", 2, minute)).to.equal(2);
  });

  it("keeps no account longer than two minutes", () => {
    for (let index = 0; index < 1000; index += 1) limiter.take(`a${index}`, 2, minute);
    limiter.take("b", 2, minute + minuteMs);
    expect(limiter.size).to.equal(1001);
    limiter.take("b", 2, minute + 2 * minuteMs);
    expect(limiter.size).to.equal(2);
    limiter.take("b", 2, minute + 9 * minuteMs);
    expect(limiter.size).to.equal(1);
  });

  it("keeps waits within the minute after the clock is set back", () => {
    fill("a", 2, minute);
    const past = minute - 50 * minuteMs;
    fill("a", 2, past);
    expect(limiter.take("a", 2, past)).to.include({ admitted: false, retryAfterS: 60 });
  });

  it("extends waits past a used-up minute after the clock is set back", () => {
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

  it("does not count a look at the allowance", () => {
    expect(limiter.remaining("a", 2, minute)).to.equal(2);
    fill("a", 2, minute);
    expect(limiter.remaining("b", 2, minute)).to.equal(2);
    limiter.remaining("a", 2, minute - 50 * minuteMs);
    limiter.giveBack("a", minute + 50 * minuteMs);
    expect(limiter.take("a", 2, minute).admitted).to.equal(false);
  });
});
