/** One value with its labels. `name` is the sample's, such as `…_bucket` of a histogram. */
export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number };
/** A metric of Prometheus' text format, version 0.0.4. */
export type Family = { name: string; type: string; samples: Sample[] };

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
};

/**
 * Reads the text format strictly. Each metric has HELP and TYPE once, before its samples. Counters end in `_total` and never fall below 0.
 * Samples are unique, and histogram buckets rise to their count.
 *
 * @throws {Error} if the text breaks a rule. The message names the line.
 */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line has no line feed");
  const families = new Map<string, Family>();
  const helped = new Set<string>();
  let current: Family | null = null;
  for (const line of text.split("\n").slice(0, -1)) {
    if (line === "") continue;
    const [mark, keyword, name = "", ...rest] = line.split(" ");
    if (mark !== "#") {
      current?.samples.push(parseSample(line, current));
      if (current === null) throw new Error(`a sample without a TYPE: ${line}`);
    } else if (keyword === "HELP") {
      if (helped.has(name) || rest.join(" ").trim() === "") throw new Error(`HELP twice or empty: ${line}`);
      helped.add(name);
    } else if (keyword === "TYPE") {
      current = { name, type: rest.join(" "), samples: [] };
      if (!helped.has(name) || families.has(name)) throw new Error(`TYPE twice or before HELP: ${line}`);
      families.set(name, current);
    } else throw new Error(`neither HELP nor TYPE: ${line}`);
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function parseSample(line: string, family: Family): Sample {
  const found = sampleLine.exec(line);
  if (found === null) throw new Error(`no sample: ${line}`);
  const [, name = "", labels = "", value = ""] = found;
  const known = suffixes[family.type]?.map((suffix) => family.name + suffix) ?? [];
  if (!known.includes(name)) throw new Error(`a sample of another metric than ${family.name}: ${line}`);
  if (!/^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)|[+-]Inf)$/.test(value)) throw new Error(`no number: ${line}`);
  return { name, labels: parseLabels(labels, line), value: Number(value.replace("Inf", "Infinity")) };
}

function parseLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ""; ) {
    const found = labelPair.exec(rest);
    if (found === null) throw new Error(`a label that is none: ${line}`);
    const [whole, name = "", value = ""] = found;
    if (name in labels) throw new Error(`a label twice: ${line}`);
    labels[name] = value;
    rest = rest.slice(whole.length);
  }
  return labels;
}

function checkFamily({ name, type, samples }: Family): void {
  if (!metricName.test(name) || !(type in suffixes)) throw new Error(`${name}: no name or type`);
  if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name}: a ${type} by another name`);
  const keys = samples.map(({ name: sample, labels }) => JSON.stringify([sample, Object.entries(labels).sort()]));
  if (new Set(keys).size < keys.length) throw new Error(`${name}: a sample twice`);
  if (type !== "gauge" && samples.some(({ value }) => value < 0)) throw new Error(`${name}: below 0`);
  if (type === "histogram") checkHistogram(name, samples);
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  for (const [key, own] of grouped(samples)) {
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number((labels.le ?? "").replace("Inf", "Infinity")));
    const counts = buckets.map(({ value }) => value);
    const count = own.find((sample) => sample.name === `${name}_count`)?.value;
    const rises = (values: readonly number[], byMore: boolean) =>
      values.every(
        (value, index) => index === 0 || value > values[index - 1]! || (!byMore && value === values[index - 1]),
      );
    if (!rises(bounds, true) || bounds.at(-1) !== Number.POSITIVE_INFINITY)
      throw new Error(`${key}: bounds do not rise`);
    if (!rises(counts, false) || counts.at(-1) !== count) throw new Error(`${key}: buckets do not rise to the count`);
    if (!own.some((sample) => sample.name === `${name}_sum`)) throw new Error(`${key}: no sum`);
  }
}

function keyWithoutBound({ name, labels }: Sample): string {
  const { le: _, ...others } = labels;
  return JSON.stringify([name.replace(/_(bucket|sum|count)$/, ""), others]);
}

function grouped(samples: readonly Sample[]): Map<string, Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = keyWithoutBound(sample);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return groups;
}
