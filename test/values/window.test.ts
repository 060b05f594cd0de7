import { expect } from "chai";
import { Failure } from "../../src/values/failure/failure.ts";
import { dayText, parseDay } from "../../src/values/time/calendar.ts";
import { resolveSeriesWindow, resolveWindow, type WindowRule, windowTexts } from "../../src/values/time/window.ts";

const today = parseDay("2026-01-15")!;
/** The last 30 completed days, at most 366. */
const completed: WindowRule = { defaultFrom: today - 30, defaultTo: today - 1, daysMax: 366, today };
/** Today and the 30 days before it, at most 31. */
const running: WindowRule = { defaultFrom: today - 30, defaultTo: today, daysMax: 31, today };

describe("windows", () => {
  const resolved: [string, Parameters<typeof resolveWindow>[0], WindowRule, string][] = [
    ["without dates have the default range", {}, completed, "2025-12-16 2026-01-14"],
    ["without dates include today if configured", {}, running, "2025-12-16 2026-01-15"],
    ["with both dates are unchanged", { from: "2025-12-01", to: "2025-12-02" }, completed, "2025-12-01 2025-12-02"],
    ["may be today alone", { from: "2026-01-15", to: "2026-01-15" }, completed, "2026-01-15 2026-01-15"],
    ["from a start alone have the default length", { from: "2025-06-01" }, completed, "2025-06-01 2025-06-30"],
    ["from a start alone end with the default range", { from: "2026-01-10" }, completed, "2026-01-10 2026-01-14"],
    ["from a start alone may be today if included", { from: "2026-01-15" }, running, "2026-01-15 2026-01-15"],
    ["to an end alone have the default length", { to: "2025-06-30" }, completed, "2025-06-01 2025-06-30"],
    ["to an end alone never start before 0001-01-01", { to: "0001-01-05" }, completed, "0001-01-01 0001-01-05"],
    ["to an end alone may be today", { to: "2026-01-15" }, completed, "2025-12-17 2026-01-15"],
    ["may be as long as allowed", { from: "2025-01-15", to: "2026-01-15" }, completed, "2025-01-15 2026-01-15"],
    [
      "may be as long as allowed with today",
      { from: "2025-12-16", to: "2026-01-15" },
      running,
      "2025-12-16 2026-01-15",
    ],
  ];
  for (const [title, given, rule, expected] of resolved) {
    it(title, () => {
      const { from, to } = resolveWindow(given, rule);
      expect(`${dayText(from)} ${dayText(to)}`).to.equal(expected);
    });
  }

  const refused: [string, Parameters<typeof resolveWindow>[0], WindowRule, string, RegExp][] = [
    ["an invalid date", { from: "2026-02-30" }, completed, "invalid_parameter", /`from`: must be a date/],
    ["an end that is not a date", { to: "tomorrow" }, completed, "invalid_parameter", /`to`: must be a date/],
    [
      "a start after the end",
      { from: "2026-01-03", to: "2026-01-02" },
      completed,
      "invalid_range",
      /`from`: must not be after `to`/,
    ],
    [
      "tomorrow",
      { from: "2026-01-10", to: "2026-01-16" },
      completed,
      "invalid_range",
      /`to`: must not be after today, 2026-01-15/,
    ],
    [
      "a start alone after the default end",
      { from: "2026-01-15" },
      completed,
      "invalid_range",
      /`from`: .*2026-01-14.*give `to`/,
    ],
    ["a start in the future", { from: "2026-01-16" }, running, "invalid_range", /`from`/],
    [
      "a day too many",
      { from: "2025-01-14", to: "2026-01-15" },
      completed,
      "window_too_large",
      /367 days.*at most 366/,
    ],
    [
      "a day too many of a short window",
      { from: "2025-12-15", to: "2026-01-15" },
      running,
      "window_too_large",
      /32 days/,
    ],
  ];
  for (const [title, given, rule, code, detail] of refused) {
    it(`reject ${title} as ${code}, naming the parameter`, () => {
      const failure = failureOf(() => resolveWindow(given, rule));
      expect(failure.code).to.equal(code);
      expect(failure.facts.detail).to.match(detail);
    });
  }

  it("default to 31 days for a series, at most 366 days", () => {
    expect(windowTexts(resolveSeriesWindow({}, today))).to.deep.equal({ from: "2025-12-16", to: "2026-01-15" });
    const year = { from: "2025-01-15", to: "2026-01-15" };
    expect(windowTexts(resolveSeriesWindow(year, today))).to.deep.equal(year);
    expect(failureOf(() => resolveSeriesWindow({ ...year, from: "2025-01-14" }, today)).code).to.equal(
      "window_too_large",
    );
  });
});

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
