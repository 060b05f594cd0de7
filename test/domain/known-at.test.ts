import { expect } from "chai";
import { resolveKnownAt } from "../../src/domain/known-at.ts";
import { Failure } from "../../src/values/failure/failure.ts";

const at = Date.UTC(2026, 0, 15, 12);
const since = Date.UTC(2026, 0, 1);
const firstFrame = Date.UTC(2026, 0, 3, 4, 5, 6, 789);

describe("known_at", () => {
  it("is an instant with or without milliseconds", () => {
    expect(resolve(undefined)).to.equal(null);
    expect(resolve("2026-01-14T18:00:00Z")).to.equal(Date.UTC(2026, 0, 14, 18));
    expect(resolve("2026-01-14T18:00:00.5Z")).to.equal(Date.UTC(2026, 0, 14, 18) + 500);
    expect(resolve("2026-01-15T12:00:00.000Z")).to.equal(at);
    expect(resolve("2026-01-01T00:00:00.000Z")).to.equal(since);
  });

  it("is refused outside of the known time with the first instant", () => {
    const place = "query parameter `known_at`: ";
    const rows: [text: string, needsFrame: boolean, refusal: string][] = [
      ["2026-01-15T12:00:00.001Z", false, "invalid_range must not be after now, 2026-01-15T12:00:00.000Z"],
      ["2025-12-31T23:59:59.999Z", false, tooEarly("2026-01-01T00:00:00.000Z")],
      ["2026-01-03T04:05:06.788Z", true, tooEarly("2026-01-03T04:05:06.789Z")],
      ["2026-02-30T00:00:00Z", false, "invalid_parameter must be a date-time that exists"],
      ["2026-01-14T24:00:00Z", false, "invalid_parameter must be a date-time that exists"],
    ];
    for (const [text, needsFrame, refusal] of rows) {
      expect(
        refused(() => resolve(text, needsFrame)),
        text,
      ).to.equal(refusal.replace(" ", ` ${place}`));
    }
    expect(resolve("2026-01-03T04:05:06.788Z")).to.be.a("number");
  });

  it("needs a paid plan for every instant", () => {
    for (const text of ["2026-01-14T18:00:00Z", "2099-01-01T00:00:00Z"]) {
      const refusal = "plan_upgrade_required query parameter `known_at`: needs a paid plan";
      expect(refused(() => resolve(text, false, "free"))).to.equal(refusal);
    }
  });
});

function resolve(text: string | undefined, needsFrame = false, plan: "free" | "builder" = "builder"): number | null {
  const moments = { since: () => since, firstFrame: () => firstFrame };
  return resolveKnownAt(text, { caller: { plan }, at, moments, needsFrame });
}

function tooEarly(first: string): string {
  return `invalid_range must not be before ${first}, the first instant that can be answered`;
}

function refused(ask: () => unknown): string {
  try {
    ask();
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${error.message}`;
    throw error;
  }
  return "answered";
}
