import { dollars } from "../../../values/money/money-text.ts";
import { shape } from "../../browser/dom.ts";
import type { Bin, Distribution } from "./bins.ts";
import { sum } from "./bins.ts";
import type { Calculation } from "./types.ts";

const panelHeight = 130;
const head = 62;
const between = 34;
const boxHeight = 18;
/** Minimum pixels of an outcome however rare it is, so that it is seen. */
const markMin = 2;
const letterMin = 13;
const colours = 8;

export type Frame = {
  left: number;
  right: number;
  width: number;
  x: (cents: number) => number;
  edge: (place: number) => number;
  apart: number;
};

/**
 * Draws two panels over one axis of values: how often a value comes out, and how much of the expected value it contributes; between
 * them and the axis the quantiles. What has no price stands apart.
 */
export function distributionPicture(distribution: Distribution, current: Calculation, width: number) {
  const frame = frameOf(distribution, width);
  const second = head + panelHeight + between;
  const base = second + panelHeight;
  const lines = [current.cost_cents, current.expected_value_cents].flatMap((cents) =>
    cents === null ? [] : [frame.x(cents)],
  );
  const titleOf = (text: string) => ({ text, ...titlePlace(text, frame, lines) });
  const root = shape("svg", {
    width,
    height: base + boxHeight + 42,
    role: "img",
    "aria-label": "Outcomes by value; the lines below it and the tables say the same.",
  });
  root.append(
    ...panel(distribution, frame, { top: head, title: titleOf("Chance of a value"), of: "chance" }),
    ...panel(distribution, frame, {
      top: second,
      title: titleOf(width < 560 ? "Share of value" : "Share of the priced value"),
      of: "worth",
    }),
    ...valueAxis(frame, base + boxHeight + 6),
    ...quantileBox(current, frame, base + 6),
    ...markers(current, frame, base + boxHeight + 6),
  );
  // Above the upright lines, so that they are read.
  root.append(...root.querySelectorAll(".panel-title"));
  return root;
}

function frameOf({ low, high, perDecade, unpriced }: Distribution, width: number): Frame {
  const left = 46;
  const apart = unpriced === null ? 0 : width < 560 ? 46 : 70;
  const right = width - 8 - (apart === 0 ? 0 : apart + 14);
  const perPlace = (right - left) / (high - low);
  const edge = (place: number) => left + (place - low) * perPlace;
  return { left, right, width, apart, edge, x: (cents) => edge(Math.log10(Math.max(1, cents)) * perDecade) };
}

/** Returns where a panel's title is clear of the upright lines: at the left, at the right, or else behind the last line. */
function titlePlace(text: string, { left, right }: Frame, lines: readonly number[]) {
  const room = text.length * 6.2 + 4;
  const isFree = (from: number) => lines.every((line) => line < from - 4 || line > from + room);
  if (isFree(left)) return { x: left, anchor: "start" };
  if (isFree(right - room)) return { x: right, anchor: "end" };
  return { x: Math.min(Math.max(...lines) + 8, right - room), anchor: "start" };
}

function panel(
  { bins, unpriced }: Distribution,
  frame: Frame,
  { top, title, of }: { top: number; title: { text: string; x: number; anchor: string }; of: "chance" | "worth" },
) {
  const { left, right, width, apart, edge } = frame;
  const floor = top + panelHeight;
  const tallest = Math.max(
    ...bins.map((bin) => sum(bin[of])),
    of === "chance" && unpriced !== null ? sum(unpriced.chance) : 0,
  );
  const { end, step } = ticksTo(tallest);
  const made = [
    shape("text", { class: "panel-title", x: title.x, y: top - 8, "text-anchor": title.anchor }, title.text),
  ];
  for (let share = 0; share <= end + step / 1000; share += step) {
    const y = floor - (panelHeight * share) / end;
    made.push(shape("line", { class: "grid", x1: left, x2: width - 8, y1: y, y2: y }));
    made.push(
      shape(
        "text",
        { class: "tick", x: left - 6, y: y + 4, "text-anchor": "end" },
        `${Number(share.toPrecision(3))} %`,
      ),
    );
  }
  bins.forEach((bin, number) => {
    const x = edge(bin.index) + 1;
    const size = Math.max(markMin, edge(bin.index + 1) - edge(bin.index) - 2);
    made.push(bar(bin, number, bin[of], { x, floor, size, scale: panelHeight / end, hatched: false }));
    made.push(
      shape("rect", { class: "target", x: x - 1, y: top, width: size + 2, height: panelHeight, "data-bin": number }),
    );
  });
  if (unpriced === null) return made;
  const box = { x: right + 14, floor, size: apart, scale: panelHeight / end, hatched: true };
  const middle = { x: right + 14 + apart / 2, "text-anchor": "middle" };
  made.push(shape("line", { class: "divide", x1: right + 7, x2: right + 7, y1: top - 4, y2: floor }));
  if (of === "chance") made.push(bar(unpriced, bins.length, unpriced.chance, box));
  else made.push(shape("text", { class: "tick", ...middle, y: floor - panelHeight / 2 }, "unknown"));
  made.push(shape("text", { class: "tick strong", ...middle, y: floor + 16 }, "no price"));
  made.push(
    shape("rect", { class: "target", x: box.x, y: top, width: apart, height: panelHeight, "data-bin": bins.length }),
  );
  return made;
}

/** Draws the tiers of a bin on top of each other, the commonest below. */
function bar(
  bin: Bin,
  number: number,
  parts: readonly number[],
  { x, floor, size, scale, hatched }: { x: number; floor: number; size: number; scale: number; hatched: boolean },
) {
  const group = shape("g", { class: hatched ? "bar hatched" : "bar", "data-bin": number, "data-first": bin.first });
  let y = floor;
  parts.forEach((part, tier) => {
    if (part === 0) return;
    const height = Math.max(markMin, part * scale);
    y -= height;
    const place = { x, y, width: size, height };
    const own = shape("g", { class: `series-${(tier % colours) + 1}` }, shape("rect", { class: "own", ...place }));
    if (hatched) own.append(shape("rect", { fill: "url(#pattern-unpriced)", ...place }));
    if (height >= letterMin && size >= letterMin && !hatched)
      own.append(
        shape(
          "text",
          { class: "tier-letter", x: x + size / 2, y: y + height / 2 + 4, "text-anchor": "middle" },
          tierLetter(tier),
        ),
      );
    group.append(own);
  });
  return group;
}

/** Returns the letter of a tier, by its place in the pool. */
export function tierLetter(tier: number) {
  return String.fromCharCode(65 + (tier % 26));
}

/** Returns a round end of an axis and the step of its marks. */
function ticksTo(tallest: number) {
  const rough = Math.max(tallest, 0.0001) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((digit) => digit * power >= rough) ?? 10) * power;
  return { step, end: step * Math.ceil(tallest / step - 1e-9) };
}

function valueAxis({ left, right, x }: Frame, y: number) {
  const made = [shape("line", { class: "base", x1: left, x2: right, y1: y, y2: y })];
  const candidates = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
  const decade = x(10) - x(1);
  const wanted = candidates.filter((cents) => {
    const isTen = Number.isInteger(Math.log10(cents) + 1e-12) || /^10*$/.test(String(cents));
    return x(cents) >= left - 1 && x(cents) <= right + 1 && (isTen || decade > 190);
  });
  let free = Number.NEGATIVE_INFINITY;
  for (const cents of wanted) {
    const place = x(cents);
    const text = axisText(cents);
    made.push(shape("line", { class: "base", x1: place, x2: place, y1: y, y2: y + 5 }));
    const half = text.length * 3.6;
    const middle = Math.max(place, half);
    if (middle - half < free) continue;
    free = middle + half + 6;
    made.push(shape("text", { class: "tick", x: middle, y: y + 19, "text-anchor": "middle" }, text));
  }
  return made;
}

/** Formats whole dollars without cents. */
function axisText(cents: number) {
  return cents < 100 ? dollars(cents) : dollars(cents).replace(/\.00$/, "");
}

/** Draws p05 to p95 as a line, p25 to p75 as a box, the median upright in it, p99 as a ring. */
function quantileBox({ quantiles }: Calculation, { x }: Frame, top: number) {
  if (quantiles === null) return [];
  const { p05, p25, p50, p75, p95, p99 } = quantiles;
  const y = top + 6;
  const title = shape(
    "title",
    {},
    `Quantiles of the priced outcomes: 5 % ${dollars(p05)}, 25 % ${dollars(p25)}, half ${dollars(p50)}, 75 % ${dollars(p75)}, 95 % ${dollars(p95)}, 99 % ${dollars(p99)}`,
  );
  return [
    shape(
      "g",
      { class: "quantiles" },
      title,
      shape("line", { x1: x(p05), x2: x(p95), y1: y, y2: y }),
      shape("rect", { x: x(p25), y: y - 5, width: Math.max(3, x(p75) - x(p25)), height: 10 }),
      shape("line", { class: "median", x1: x(p50), x2: x(p50), y1: y - 7, y2: y + 7 }),
      shape("circle", { cx: x(p99), cy: y, r: 3.5 }),
    ),
  ];
}

/** Draws upright lines for cost and expected value with their names above, each in a row of its own. */
function markers(
  { cost_cents, expected_value_cents, expected_value_lower_cents, expected_value_upper_cents }: Calculation,
  frame: Frame,
  base: number,
) {
  const marks = [
    { kind: "cost", cents: cost_cents, text: `cost ${dollars(cost_cents)}`, y: 12 },
    ...(expected_value_cents === null
      ? []
      : [
          {
            kind: "value",
            cents: expected_value_cents,
            text: `${frame.width < 560 ? "value" : "expected value"} ${dollars(expected_value_cents)}`,
            y: 28,
          },
        ]),
  ];
  const [first, second] = marks.map(({ cents }) => frame.x(cents));
  const made = marks.flatMap(({ kind, text, y }, index) => {
    const place = (index === 0 ? first : second) ?? 0;
    const other = (index === 0 ? second : first) ?? 0;
    // Away from the other line, where there is room.
    const room = text.length * 7.2;
    const isLeft = place <= other ? place > room : place + room > frame.width;
    return [
      shape("line", { class: `mark ${kind}`, x1: place, x2: place, y1: y - 9, y2: base }),
      shape(
        "text",
        { class: `mark ${kind}`, x: isLeft ? place - 5 : place + 5, y, "text-anchor": isLeft ? "end" : "start" },
        text,
      ),
    ];
  });
  if (expected_value_upper_cents === null || expected_value_lower_cents === expected_value_upper_cents) return made;
  const [low, high] = [frame.x(expected_value_lower_cents), Math.min(frame.right, frame.x(expected_value_upper_cents))];
  const band = { class: "between", x: low, y: head - 6, width: Math.max(1, high - low), height: base - head + 6 };
  return [shape("rect", band), ...made];
}
