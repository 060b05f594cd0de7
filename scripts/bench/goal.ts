/** One promise about speed or size, judged. `value` null: not measured in this run. */
export type Goal = {
  says: string;
  bound: "at least" | "at most";
  threshold: number;
  unit: "x" | "MB" | "ms" | "s" | "bytes";
  value: number | null;
  met: boolean | null;
};

export function atLeast(says: string, threshold: number, value: number | null): Goal {
  return { says, bound: "at least", threshold, unit: "x", value, met: value === null ? null : value >= threshold };
}

export function atMost(says: string, threshold: number, value: number | null, unit: Goal["unit"] = "x"): Goal {
  return { says, bound: "at most", threshold, unit, value, met: value === null ? null : value <= threshold };
}
