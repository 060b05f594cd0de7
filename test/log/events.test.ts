import { expect } from "chai";
import { createEvents } from "../../src/log/events.ts";
import type { EventFacts } from "../../src/values/event-facts.ts";

/** The level of the line that each event writes, and the counter that it adds to. */
const expected: Record<keyof EventFacts, [level: string, counter: string | null]> = {
  malformedRequest: ["debug", "malformed_requests"],
  listening: ["info", null],
  draining: ["info", null],
  stopped: ["info", null],
  documentWithoutBase: ["warn", null],
  signInSucceeded: ["info", "sign_ins"],
  signInFailed: ["warn", "sign_ins_failed"],
  passwordSet: ["info", "passwords_set"],
  signedOutEverywhere: ["info", "sign_outs_everywhere"],
  feedVerified: ["info", "feeds_verified"],
  feedUnchanged: ["debug", "feeds_unchanged"],
  feedFailed: ["warn", "feeds_failed"],
  feedFrozen: ["warn", "feeds_frozen"],
  feedBehind: ["warn", "feeds_behind"],
  guardAccepted: ["warn", "guards_accepted"],
  feedLagging: ["warn", "feeds_lagging"],
  frameRecorded: ["info", "frames_recorded"],
  frameDropped: ["warn", "frames_dropped"],
  generationPublished: ["info", "generations_published"],
  publicationPostponed: ["debug", "publications_postponed"],
  daysFinalized: ["info", "days_settled"],
  mirrorWaiting: ["info", "mirror_waits"],
  mirrorFailed: ["error", "mirror_failures"],
  mirrorDied: ["error", "mirror_deaths"],
  roiCalculated: ["info", "roi_runs"],
  roiSkipped: ["warn", "roi_skips"],
  roiWaiting: ["info", "roi_waits"],
  roiFailed: ["error", "roi_failures"],
  termsConflicted: ["warn", null],
  releaseSealed: ["info", "releases_sealed"],
  releaseFailed: ["error", "release_failures"],
  releaseTaken: ["info", "releases_taken"],
  releaseRefused: ["error", "releases_refused"],
  releaseStale: ["warn", "releases_stale"],
  releaseExpired: ["error", "releases_expired"],
  portfoliosValued: ["info", "valuations"],
  valuationFailed: ["error", "valuation_failures"],
};

/** Levels as lines show them. */
const numbers: Record<string, number> = { debug: 20, info: 30, warn: 40, error: 50 };

describe("log events", () => {
  for (const [name, [level, counter]] of Object.entries(expected)) {
    it(`writes ${name} as one ${level} line and increments ${counter ?? "no counter"}`, () => {
      const lines: string[] = [];
      const events = createEvents("debug", { write: (line: string) => void lines.push(line) });
      const happen = events[name as keyof EventFacts] as (facts: object) => void;
      happen({ feed: "steam", reason: "a reason", retry_ms: 17 });
      expect(lines).to.have.length(1);
      const line = JSON.parse(lines[0]!);
      expect(line).to.include({ level: numbers[level], feed: "steam", reason: "a reason", retry_ms: 17 });
      expect(line.msg).to.match(/^[a-z].+[^.]$/);
      expect([...events.counters]).to.deep.equal(counter === null ? [] : [[counter, 1]]);
    });
  }
});
