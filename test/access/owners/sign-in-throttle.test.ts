import { expect } from "chai";
import { SignInThrottle, signInEntriesMax } from "../../../src/access/owners/sign-in-throttle.ts";
import { hourMs, secondMs } from "../../../src/values/time/calendar.ts";

const start = Date.UTC(2026, 0, 15, 12);

describe("sign-in throttle", () => {
  let throttle: SignInThrottle;
  let at: number;
  beforeEach(() => {
    throttle = new SignInThrottle();
    at = start;
  });

  /** The seconds to wait. Null if the attempt is allowed. It then counts as failed until it is reported otherwise. */
  const begin = (login: string, address: string, when = at) => throttle.begin(login, address, when).waitS;

  /** Fails `times` times and waits as required. Returns the waits in seconds. */
  const fail = (login: string, address: string, times: number): number[] => {
    const waits: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const waitS = begin(login, address, at);
      if (waitS === null) continue;
      waits.push(waitS);
      at += waitS * secondMs;
      expect(begin(login, address, at)).to.equal(null);
    }
    return waits;
  };

  it("allows five wrong passwords per login and address, then doubles the wait", () => {
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
    expect(fail("ann", "192.0.2.1", 12)).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  });

  it("allows twenty wrong passwords of an address over all logins", () => {
    for (let time = 0; time < 20; time += 1) expect(begin(`login${time}`, "192.0.2.1", at)).to.equal(null);
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
    expect(begin("ann", "192.0.2.2", at)).to.equal(null);
  });

  it("does not delay an owner because of guesses from other addresses", () => {
    for (let time = 0; time < 200; time += 1) begin("ann", `198.51.100.${time}`, at);
    expect(begin("ann", "192.0.2.1", at)).to.equal(null);
  });

  it("forgets wrong passwords only at the address of a one-time link", () => {
    for (const address of ["192.0.2.1", "192.0.2.2"]) fail("ann", address, 5);
    throttle.trust("ann", "192.0.2.1", at);
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
    expect([1, 2].map((host) => begin("ann", `192.0.2.${host}`, at))).to.deep.equal([1, 1]);
  });

  it("does not count an attempt that it refuses", () => {
    fail("ann", "192.0.2.1", 5);
    for (let time = 0; time < 50; time += 1) begin("ann", "192.0.2.1", at);
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
  });

  it("forgets after a right password or an hour without a wrong one", () => {
    fail("ann", "192.0.2.1", 4);
    begin("ann", "192.0.2.1", at);
    throttle.succeeded("ann", "192.0.2.1", at);
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
    at += hourMs;
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
  });

  it("delays unknown addresses while the owner signs in from a known one", () => {
    begin("ann", "192.0.2.1", at);
    throttle.succeeded("ann", "192.0.2.1", at);
    fail("ann", "198.51.100.7", 5);
    expect(begin("ann", "198.51.100.7", at)).to.equal(1);
    expect(begin("ann", "192.0.2.1", at)).to.equal(null);
    throttle.succeeded("ann", "192.0.2.1", at);
    expect(begin("ann", "198.51.100.7", at)).to.equal(1);
  });

  it("does not forgive guesses at other logins after an own sign-in", () => {
    for (let time = 0; time < 40; time += 1) {
      const guess = begin(`login${time}`, "192.0.2.1", at);
      if (guess !== null) {
        expect(time).to.be.within(19, 21);
        return;
      }
      begin("mallory", "192.0.2.1", at);
      throttle.succeeded("mallory", "192.0.2.1", at);
    }
    expect.fail("it was never slowed down");
  });

  it("counts an IPv6 /64 as one address, and unwraps mapped IPv4", () => {
    for (let time = 0; time < 20; time += 1) begin(`login${time}`, `2001:db8:1:2::${time}`, at);
    expect(begin("ann", "2001:db8:1:2:ffff:1:2:3", at)).to.equal(1);
    expect(begin("ann", "2001:db8:1:3::1", at)).to.equal(null);
    for (let time = 0; time < 20; time += 1) begin(`name${time}`, "::ffff:192.0.2.9", at);
    expect(begin("bob", "192.0.2.9", at)).to.equal(1);
    expect(begin("bob", "::ffff:192.0.2.10", at)).to.equal(null);
  });

  it("withdraws only an attempt that never reached the password check", () => {
    fail("ann", "192.0.2.1", 4);
    const [one, other] = [1, 2].map(() => throttle.begin("ann", "192.0.2.1", at));
    expect([one?.waitS, other?.waitS]).to.deep.equal([null, 1]);
    other?.withdraw();
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
    one?.withdraw();
    one?.withdraw();
    expect(begin("ann", "192.0.2.1", at)).to.equal(null);
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
  });

  it("restores the earlier wait when an attempt is withdrawn", () => {
    fail("ann", "192.0.2.1", 10);
    for (let time = 0; time < 3; time += 1) {
      at += 16 * secondMs;
      throttle.begin("ann", "192.0.2.1", at).withdraw();
    }
    expect(begin("ann", "192.0.2.1", at)).to.equal(null);
    expect(begin("ann", "192.0.2.1", at)).to.be.above(16);
  });

  it("withdraws no attempt from before the owner's sign-in", () => {
    fail("ann", "192.0.2.1", 3);
    const lost = throttle.begin("ann", "192.0.2.1", at);
    begin("ann", "192.0.2.1", at);
    throttle.succeeded("ann", "192.0.2.1", at);
    lost.withdraw();
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
  });

  it("does not extend a wait when the clock is set back", () => {
    fail("ann", "192.0.2.1", 30);
    at -= 48 * hourMs;
    const waitS = begin("ann", "192.0.2.1", at);
    expect(waitS).to.be.within(1, 300);
    at += Number(waitS) * secondMs;
    expect(begin("ann", "192.0.2.1", at)).to.equal(null);
  });

  it("keeps its counts when attempts are withdrawn", () => {
    fail("ann", "192.0.2.1", 5);
    for (let index = 0; index < signInEntriesMax; index += 1)
      throttle.begin(`login${index}`, `198.51.${index >> 8}.${index & 255}`, at).withdraw();
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
  });

  it("doubles the wait of an address up to a minute", () => {
    const waits: (number | null)[] = [];
    for (let time = 0; time < 29; time += 1) {
      const waitS = begin(`login${time}`, "192.0.2.1", at);
      if (waitS !== null) {
        waits.push(waitS);
        at += waitS * secondMs;
        expect(begin(`login${time}`, "192.0.2.1", at)).to.equal(null);
      }
    }
    expect(waits).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it("rounds a wait up to whole seconds and ends it exactly", () => {
    fail("ann", "192.0.2.1", 5);
    expect(begin("ann", "192.0.2.1", at + secondMs - 1)).to.equal(1);
    expect(begin("ann", "192.0.2.1", at + secondMs)).to.equal(null);
  });

  it("truncates a login to its first 254 characters", () => {
    const long = "a".repeat(254);
    fail(`${long}x`, "192.0.2.1", 5);
    expect(begin(`${long}y`, "192.0.2.1", at)).to.equal(1);
    expect(begin(long.slice(1), "192.0.2.1", at)).to.equal(null);
    at += secondMs;
    expect(begin(`${long}y`, "192.0.2.1", at)).to.equal(null);
    throttle.succeeded(`${long}z`, "192.0.2.1", at);
    expect(begin(long, "192.0.2.1", at)).to.equal(null);
  });

  it("forgets after an hour, to the millisecond", () => {
    fail("ann", "192.0.2.1", 5);
    fail("bob", "192.0.2.2", 5);
    expect(begin("ann", "192.0.2.1", at + hourMs - 1)).to.equal(null);
    expect(begin("ann", "192.0.2.1", at + hourMs - 1)).to.equal(2);
    for (let time = 0; time < 5; time += 1) expect(begin("bob", "192.0.2.2", at + hourMs)).to.equal(null);
    expect(begin("bob", "192.0.2.2", at + hourMs)).to.equal(1);
  });

  it("forgets the least recently used login first", () => {
    const others = (from: number, to: number) => {
      for (let time = from; time < to; time += 1) begin(`login${time}`, `10.0.${time >> 8}.${time & 255}`, at);
    };
    fail("ann", "192.0.2.1", 5);
    fail("bob", "192.0.2.2", 5);
    others(0, 5000);
    expect(begin("ann", "192.0.2.1", at + secondMs)).to.equal(null);
    others(5000, 9999);
    expect(begin("bob", "192.0.2.2", at), "bob is the one too many").to.equal(null);
    expect(begin("ann", "192.0.2.1", at + secondMs)).to.equal(2);
  });
});
