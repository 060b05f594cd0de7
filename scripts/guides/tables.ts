import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plans } from "../../src/access/plans.ts";
import { problems } from "../../src/api/problems.ts";
import { defaultOf, type SettingName, settings } from "../../src/config/config.ts";
import { type GuardName, guardDefaults, guardNames } from "../../src/import/guards/findings.ts";
import { groups } from "../../src/kit/scenario.ts";
import { faults } from "../../src/sandbox/faults.ts";
import { type KitResult, kitResultsFile } from "../sdk/kit-results.ts";
import { guidePaths } from "./blocks.ts";
import { capacityTable, figuresTable } from "./capacity.ts";
import { exitCodeMeanings } from "./exit-codes.ts";
import { table } from "./table.ts";

const block = /(<!-- generated: ([^>]*) -->\n)[\s\S]*?(<!-- \/generated -->)/g;

/**
 * Returns README and guides with their generated tables, by path from `root`, the repository.
 * @throws {Error} when a table has no generator
 */
export function deriveGuides(root: string): Map<string, string> {
  const tables = tablesOf(root);
  return new Map(
    guidePaths(root).map((path): [string, string] => {
      const text = readFileSync(join(root, path), "utf8");
      return [
        path,
        text.replace(block, (_, start: string, name: string, end: string) => {
          const table = tables.get(name);
          if (table === undefined) throw new Error(`${path}: unknown generated table \`${name}\``);
          return `${start}\n${table()}\n${end}`;
        }),
      ];
    }),
  );
}

function tablesOf(root: string): ReadonlyMap<string, () => string> {
  return new Map([
    ["settings", settingList],
    ["exit codes", () => table(["exit code", "meaning"], [...exitCodeMeanings()])],
    ["plans", planTable],
    ["figures of a node", figuresTable],
    ["capacity", capacityTable],
    ["guards", guardTable],
    ["generators", () => generatorTable(root)],
    ["faults", faultNames],
    ["kit", () => kitTable(root)],
  ]);
}

/** Returns the names of a sandbox's faults, without the codes of the contract. */
function faultNames(): string {
  const names = Object.keys(faults).filter((name) => name !== "pass" && !Object.hasOwn(problems, name));
  return `${names.map(code).join(", ")}.\n`;
}

/** Topics of the settings. `help serve` has the meaning of each. */
const settingTopics: Readonly<Record<SettingName, string>> = {
  db: "File",
  walBytesMax: "File",
  backups: "File",
  host: "Address",
  port: "Address",
  publicUrl: "Address",
  trustedProxies: "Address",
  opsHost: "Monitoring",
  opsPort: "Monitoring",
  logLevel: "Monitoring",
  connectionsMax: "Load",
  connectionsPerAddressMax: "Load",
  inFlightMax: "Load",
  drainMs: "Stop",
  drainPauseMs: "Stop",
  mirrorConfig: "Mirror",
  publishEveryMs: "Mirror",
  releaseTo: "Releases",
  releaseKey: "Releases",
  releaseKeep: "Releases",
  releaseKeepHours: "Releases",
  releaseOwnNodes: "Releases",
  privateDb: "Nodes",
  privateDbFile: "Nodes",
  follow: "Nodes",
  trust: "Nodes",
  followEveryMs: "Nodes",
  followStaleHours: "Nodes",
  pageUnits: "Pages",
  itemPictures: "Pages",
  valuationSchedule: "Jobs",
  roiSchedule: "Jobs",
};

/** Returns one entry for each topic: its settings with their defaults. */
function settingList(): string {
  const byTopic = Map.groupBy(Object.entries(settingTopics) as [SettingName, string][], ([, topic]) => topic);
  const entries = [...byTopic].map(([topic, names]) => {
    const texts = names.map(([name]) => {
      const fallback = defaultOf(name);
      return code(settings[name].flag) + (fallback === "" ? "" : ` (${code(fallback)})`);
    });
    return `- ${topic}: ${texts.join(", ")}.\n`;
  });
  return entries.join("");
}

function planTable(): string {
  const rows = Object.entries(plans).map(([plan, limits]) => [
    plan,
    ...[limits.requestsPerMonth, limits.requestsPerMinute, limits.snapshotStartsPerDay].map((count) =>
      count.toLocaleString("en"),
    ),
    limits.priceCents?.toLocaleString("en") ?? "by agreement",
  ]);
  const head = ["plan", "requests per UTC month", "requests per minute", "exports in 24 h", "cents per 30 days"];
  return table(head, rows);
}

/** Figure of each guard, and the value at which reports name it, "" if they never do. */
const guardTexts: Readonly<Record<GuardName, readonly [figure: string, named: string]>> = {
  future_time: ["seconds of the save time in the future", ""],
  unreadable_prices: ["% of prices zero, fractional, invalid or in conflict", "1"],
  joined_share: ["points lost of the share of joined prices", ""],
  shrink: ["% of the feed's items gone", "20"],
  lost_quotes: ["% of a provider's or side's quotes gone while others stay", "20"],
  price_level: ["median ratio to published prices, or inverse", "1.4"],
  price_jumps: ["% of prices outside 1/3 to 3 times the published", "1"],
  twins: ["% of pairs (phases, StatTrak and plain, wears) that swap order", "2"],
  round_prices: ["% of prices above 10 dollars that become whole dollars; never refused", "50"],
  crossed_books: ["% of two-sided books with bid above ask", ""],
  first_body: ["median ratio of a new provider to others, or inverse", "below"],
  week_count: ["% missing of the most quotes in seven days", "20"],
  week_price: ["mean price to the median of seven days, or inverse", "2"],
};

/** Returns one row for each guard with its default threshold. */
function guardTable(): string {
  const rows = guardNames.map((guard) => {
    const [figure, named] = guardTexts[guard];
    return [code(guard), figure, named, guardDefaults[guard]];
  });
  return table(["guard", "figure", "named from", "threshold"], rows);
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Packages of each generator, the command that makes a client, and how exact its types are. */
const generators: readonly (readonly [packages: readonly string[], command: string, types: string])[] = [
  [["openapi-typescript", "openapi-fetch"], "openapi-typescript openapi.json -o itemtape.d.ts", "exact"],
  [
    ["@hey-api/openapi-ts", "zod"],
    "openapi-ts -i openapi.json -o itemtape -p @hey-api/client-fetch @hey-api/sdk zod",
    "strict",
  ],
  [["orval", "zod"], "orval --input openapi.json --output itemtape.ts --client fetch", "exact"],
  [
    ["swagger-typescript-api"],
    "swagger-typescript-api generate --path openapi.json --output itemtape --enum-style union",
    "strict",
  ],
  [["oazapfts", "@oazapfts/runtime"], "oazapfts openapi.json itemtape.ts", "strict"],
  [["typed-openapi", "zod"], "typed-openapi openapi.json -o itemtape.ts -r zod", "exact"],
];

/** Returns the table of the commands that install each generator in its tested version and run it. */
function generatorTable(root: string): string {
  const manifest = readFileSync(join(root, "scripts/sdk/package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const pinned = (names: readonly string[]) => names.map((name) => `${name}@${dependencies[name]}`).join(" ");
  return table(
    ["install", "run", "types"],
    generators.map(([packages, command, types]) => [
      code(`npm i ${pinned([...packages, "typescript"])}`),
      code(`npx ${command}`),
      types,
    ]),
  );
}

/** Returns the table of generators with the number of offered scenarios and of passed ones. */
function kitTable(root: string): string {
  const results = JSON.parse(readFileSync(join(root, kitResultsFile), "utf8")) as KitResult[];
  const rows = results.map(({ generator, version, groups: counts }) => [
    `${generator} ${version}`,
    ...groups.map((group) => {
      const { passed = 0, failed = 0 } = counts[group] ?? {};
      return `${passed} of ${passed + failed}`;
    }),
  ]);
  return table(["generated by", ...groups], rows);
}
