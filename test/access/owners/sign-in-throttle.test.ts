import { expect } from "chai";
import { SignInThrottle, signInEntriesMax } from "../../../src/access/owners/sign-in-throttle.ts";
import { hourMs, secondMs } from "../../../src/values/time/calendar.ts";

const start = Date.UTC(2026, 0, 15, 12);

describe("the throttle of sign-ins", () => {
  let throttle: SignInThrottle;
  let at: number;
  beforeEach(() => {
    throttle = new SignInThrottle();
    at = start;
  });

  /** The seconds to wait; null: the attempt may be made, and counts as a wrong one unless more is said of it. */
  const begin = (login: string, address: string, when = at) => throttle.begin(login, address, when).waitS;

  /** Fails `times` times, waiting as long as it is told to. Returns the waits in seconds. */
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

  it("the throttle of sign-ins lets five wrong passwords of a login at an address pass, and doubles the wait up to five minutes", () => {
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
    expect(fail("ann", "192.0.2.1", 12)).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  });

  it("the throttle of sign-ins lets twenty of an address pass, whatever the logins are", () => {
    for (let time = 0; time < 20; time += 1) expect(begin(`login${time}`, "192.0.2.1", at)).to.equal(null);
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
    expect(begin("ann", "192.0.2.2", at)).to.equal(null);
  });

  it("the throttle of sign-ins keeps no owner waiting for guesses from other addresses", () => {
    for (let time = 0; time < 200; time += 1) begin("ann", `198.51.100.${time}`, at);
    expect(begin("ann", "192.0.2.1", at)).to.equal(null);
  });

  it("the throttle of sign-ins forgets wrong passwords at the address of a one-time link alone", () => {
    for (const address of ["192.0.2.1", "192.0.2.2"]) fail("ann", address, 5);
    throttle.trust("ann", "192.0.2.1", at);
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
    expect([1, 2].map((host) => begin("ann", `192.0.2.${host}`, at))).to.deep.equal([1, 1]);
  });

  it("the throttle of sign-ins does not count an attempt that it refuses", () => {
    fail("ann", "192.0.2.1", 5);
    for (let time = 0; time < 50; time += 1) begin("ann", "192.0.2.1", at);
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
  });

  it("the throttle of sign-ins forgets after a right password, and after an hour without a wrong one", () => {
    fail("ann", "192.0.2.1", 4);
    begin("ann", "192.0.2.1", at);
    throttle.succeeded("ann", "192.0.2.1", at);
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
    at += hourMs;
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
  });

  it("the throttle of sign-ins keeps strangers waiting for a login whose owner signs in from a known address", () => {
    begin("ann", "192.0.2.1", at);
    throttle.succeeded("ann", "192.0.2.1", at);
    fail("ann", "198.51.100.7", 5);
    expect(begin("ann", "198.51.100.7", at)).to.equal(1);
    expect(begin("ann", "192.0.2.1", at)).to.equal(null);
    throttle.succeeded("ann", "192.0.2.1", at);
    expect(begin("ann", "198.51.100.7", at)).to.equal(1);
  });

  it("the throttle of sign-ins does not forgive an address its guesses at others for a sign-in of its own", () => {
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

  it("the throttle of sign-ins takes a /64 of IPv6 for one address, and an IPv4 address in IPv6 for itself", () => {
    for (let time = 0; time < 20; time += 1) begin(`login${time}`, `2001:db8:1:2::${time}`, at);
    expect(begin("ann", "2001:db8:1:2:ffff:1:2:3", at)).to.equal(1);
    expect(begin("ann", "2001:db8:1:3::1", at)).to.equal(null);
    for (let time = 0; time < 20; time += 1) begin(`name${time}`, "::ffff:192.0.2.9", at);
    expect(begin("bob", "192.0.2.9", at)).to.equal(1);
    expect(begin("bob", "::ffff:192.0.2.10", at)).to.equal(null);
  });

  it("the throttle of sign-ins takes back an attempt that never got to the password, and that one alone", () => {
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

  it("the throttle of sign-ins continues with the wait that it had before an attempt was taken back", () => {
    fail("ann", "192.0.2.1", 10);
    for (let time = 0; time < 3; time += 1) {
      at += 16 * secondMs;
      throttle.begin("ann", "192.0.2.1", at).withdraw();
    }
    expect(begin("ann", "192.0.2.1", at)).to.equal(null);
    expect(begin("ann", "192.0.2.1", at)).to.be.above(16);
  });

  it("the throttle of sign-ins takes nothing back of a login from before its owner signed in beside the attempt", () => {
    fail("ann", "192.0.2.1", 3);
    const lost = throttle.begin("ann", "192.0.2.1", at);
    begin("ann", "192.0.2.1", at);
    throttle.succeeded("ann", "192.0.2.1", at);
    lost.withdraw();
    expect(fail("ann", "192.0.2.1", 5)).to.deep.equal([]);
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
  });

  it("the throttle of sign-ins waits no longer after the clock was set back, by however much", () => {
    fail("ann", "192.0.2.1", 30);
    at -= 48 * hourMs;
    const waitS = begin("ann", "192.0.2.1", at);
    expect(waitS).to.be.within(1, 300);
    at += Number(waitS) * secondMs;
    expect(begin("ann", "192.0.2.1", at)).to.equal(null);
  });

  it("the throttle of sign-ins forgets nobody for attempts that were taken back", () => {
    fail("ann", "192.0.2.1", 5);
    for (let index = 0; index < signInEntriesMax; index += 1)
      throttle.begin(`login${index}`, `198.51.${index >> 8}.${index & 255}`, at).withdraw();
    expect(begin("ann", "192.0.2.1", at)).to.equal(1);
  });

  it("the throttle of sign-ins lets an address wait for a minute at most, twice as long each time until then", () => {
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

  it("the throttle of sign-ins says a whole second for what is left of one, and lets an attempt pass at the very end", () => {
    fail("ann", "192.0.2.1", 5);
    expect(begin("ann", "192.0.2.1", at + secondMs - 1)).to.equal(1);
    expect(begin("ann", "192.0.2.1", at + secondMs)).to.equal(null);
  });

  it("the throttle of sign-ins takes the first 254 characters of a login for the login", () => {
    const long = "a".repeat(254);
    fail(`${long}x`, "192.0.2.1", 5);
    expect(begin(`${long}y`, "192.0.2.1", at)).to.equal(1);
    expect(begin(long.slice(1), "192.0.2.1", at)).to.equal(null);
    at += secondMs;
    expect(begin(`${long}y`, "192.0.2.1", at)).to.equal(null);
    throttle.succeeded(`${long}z`, "192.0.2.1", at);
    expect(begin(long, "192.0.2.1", at)).to.equal(null);
  });

  it("the throttle of sign-ins forgets after an hour to the millisecond", () => {
    fail("ann", "192.0.2.1", 5);
    fail("bob", "192.0.2.2", 5);
    expect(begin("ann", "192.0.2.1", at + hourMs - 1)).to.equal(null);
    expect(begin("ann", "192.0.2.1", at + hourMs - 1)).to.equal(2);
    for (let time = 0; time < 5; time += 1) expect(begin("bob", "192.0.2.2", at + hourMs)).to.equal(null);
    expect(begin("bob", "192.0.2.2", at + hourMs)).to.equal(1);
  });

  it("the throttle of sign-ins forgets the login first that was unused longest", () => {
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
