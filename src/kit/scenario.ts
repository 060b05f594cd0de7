import { readdirSync, readFileSync } from "node:fs";
import { fileOfProgram } from "../values/root.ts";

/** Groups of scenarios in the order of reports. */
export const groups = ["retry", "transport", "streams", "lists", "future", "credentials"] as const;

const folder = "src/kit/scenarios/";

/** The call that an adapter is asked to make. */
export type KitCall = {
  call: "operation" | "pages" | "export" | "follow";
  operation: string;
  parameters?: Readonly<Record<string, string | number | boolean>>;
  body?: object;
  /** Rounds of changes of `follow`. */
  rounds?: number;
  deadline_ms?: number;
};

/** An answer that is right. */
export type RightAnswer =
  | { value: "served" | { has: unknown } | { first?: number; last?: number } }
  | { problem: { code?: string | null; status?: number } }
  | { failure: true };

/** One case that the kit plays, as `scenario.schema.json` describes it. */
export type Scenario = {
  name: string;
  title: string;
  group: (typeof groups)[number];
  holds: { sentence: string; source: string };
  /** Begin of a replay of the recorded market. Absent for the documented world. */
  replay?: string;
  key?: { plan?: string; kind?: string } | null;
  script?: readonly unknown[];
  call: KitCall;
  wire: {
    requests: Readonly<Record<string, number | readonly [least: number, most: number]>>;
    not_before_s?: readonly number[];
    query?: Readonly<Record<string, string>>;
    hung_up?: true;
  };
  answer: readonly RightAnswer[];
};

/** Reads all scenarios, by group and name. */
export function readScenarios(): Scenario[] {
  const files = readdirSync(fileOfProgram(folder)).filter((name) => name.endsWith(".json"));
  const read = (name: string) => JSON.parse(readFileSync(fileOfProgram(folder + name), "utf8")) as Scenario;
  const rank = ({ group }: Scenario) => groups.indexOf(group);
  return files
    .sort()
    .map(read)
    .sort((one, other) => rank(one) - rank(other));
}
