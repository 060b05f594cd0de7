import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plans } from "../../src/access/plans.ts";
import { problems } from "../../src/api/problems.ts";
import type { Command } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/main.ts";
import { defaultOf, type SettingName, settings } from "../../src/config/config.ts";
import { guardDefaults, guardNames } from "../../src/import/guards/findings.ts";
import { faults } from "../../src/sandbox/faults.ts";
import { type Node, operationsOf } from "../contract/document.ts";
import { guideFolder, guidePaths, shellBlocks } from "./blocks.ts";
import { capacityTable, figuresTable } from "./capacity.ts";
import { exitCodeMeanings } from "./exit-codes.ts";
import { table } from "./table.ts";

const block = /(<!-- generated: ([^>]*) -->\n)[\s\S]*?(<!-- \/generated -->)/g;

/**
 * Returns README and guides with their generated tables, by path from `root`, the repository. `document`: the contract.
 * @throws {Error} when a table is not generated
 */
export function deriveGuides(root: string, document: Node): Map<string, string> {
  const tables = tablesOf(root, document);
  return new Map(
    guidePaths(root).map((path): [string, string] => {
      const text = readFileSync(join(root, path), "utf8");
      return [
        path,
        text.replace(block, (_, start: string, name: string, end: string) => {
          const table = tables.get(name);
          if (table === undefined) throw new Error(`${path}: there is no generated table \`${name}\``);
          return `${start}\n${table()}\n${end}`;
        }),
      ];
    }),
  );
}

function tablesOf(root: string, document: Node): ReadonlyMap<string, () => string> {
  return new Map([
    ["commands", commandTable],
    ["flags", flagTable],
    ["settings", settingTable],
    ["settings of commands", takenSettingsTable],
    ["exit codes", () => table(["exit code", "meaning"], [...exitCodeMeanings()])],
    ["plans", planTable],
    ["figures of a node", figuresTable],
    ["capacity", capacityTable],
    ["guards", guardTable],
    ["generators", () => generatorTable(root)],
    ["operations", () => operationTable(document)],
    ["faults", faultTable],
    ["marked blocks", () => markedBlockTable(root)],
  ]);
}

/** The faults of a sandbox but for the codes of the contract. */
function faultTable(): string {
  const others = Object.entries(faults).filter(([name]) => name !== "pass" && !Object.hasOwn(problems, name));
  return table(
    ["fault", "effect", "figures"],
    others.map(([name, { about, figures }]) => [
      code(name),
      about,
      Object.entries(figures)
        .map(([figure, { about, fallback }]) => `${code(figure)}: ${about}${fallback === null ? "" : ` (${fallback})`}`)
        .join("; "),
    ]),
  );
}

function commandTable(): string {
  return table(
    ["command", "what it does"],
    commands.map((command) => [code(callOf(command)), command.description]),
  );
}

/** More commands than these are counted. */
const namesMax = 8;

/** Returns one row for each flag of one meaning, with the commands that take it. */
function flagTable(): string {
  const byFlag = new Map<string, { flag: string; meaning: string; names: string[] }>();
  for (const { name: command, flags } of commands) {
    for (const [name, { value, description }] of Object.entries(flags)) {
      const flag = value === undefined ? `--${name}` : `--${name} ${value}`;
      const row = byFlag.get(`${flag} ${description}`) ?? { flag: code(flag), meaning: description, names: [] };
      byFlag.set(`${flag} ${description}`, { ...row, names: [...row.names, code(command)] });
    }
  }
  return table(
    ["commands", "flag", "meaning"],
    [...byFlag.values()].map(({ flag, meaning, names }) => [
      names.length > namesMax ? `${names.length} commands` : names.join(", "),
      flag,
      meaning,
    ]),
  );
}

function settingTable(): string {
  const rows = Object.entries(settings).map(([name, { flag, env, value, description }]) => {
    const fallback = defaultOf(name as SettingName);
    return [code(`${flag} ${value}`), code(env), fallback === "" ? "empty" : code(fallback), description];
  });
  return table(["flag", "environment", "default", "meaning"], rows);
}

/** Returns one row for each set of settings, with the commands that take it. */
function takenSettingsTable(): string {
  const all = Object.keys(settings).length;
  const byTaken = new Map<string, string[]>();
  for (const { name, settings: taken } of commands) {
    const text = taken.length === all ? "all settings" : flagsOf(taken);
    byTaken.set(text, [...(byTaken.get(text) ?? []), code(name)]);
  }
  return table(
    ["settings", "commands"],
    [...byTaken].map(([taken, names]) => [taken, names.join(", ")]),
  );
}

function flagsOf(taken: readonly SettingName[]): string {
  return taken.length === 0 ? "none" : taken.map((name) => code(settings[name].flag)).join(", ");
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

/** One row for each guard, from the schema of a mirror's configuration and the product's defaults. */
function guardTable(): string {
  const schema = JSON.parse(
    readFileSync(new URL("../../src/jobs/mirror/mirror-config.schema.json", import.meta.url), "utf8"),
  );
  const rows = guardNames.map((guard) => [
    code(guard),
    guardDefaults[guard],
    schema.$defs.guards.properties[guard].description,
  ]);
  return table(["guard", "threshold", "meaning of the threshold"], rows);
}

function operationTable(document: Node): string {
  const rows = operationsOf(document).map(({ id, method, path, node }) => [
    code(id),
    code(`${method.toUpperCase()} ${path}`),
    String(node["x-itemtape-plan"]),
    String(node["x-itemtape-cost"]),
  ]);
  return table(["operation", "request", "plan", "units"], rows);
}

/** Returns one row for each block of shell commands that the tests do not run. */
function markedBlockTable(root: string): string {
  const blocks = guidePaths(root).flatMap((path) => shellBlocks(root, path));
  const rows = blocks.flatMap(({ path, section, mark }) => {
    const name = path.replace(`${guideFolder}/`, "");
    return mark === null ? [] : [[`[${name}](${name})`, section, mark]];
  });
  return table(["guide", "section", "why its commands are not run"], rows);
}

function callOf({ name, operands }: Command): string {
  return [name, ...operands].join(" ");
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Packages of each generator, in the order of the table of those that are tested, and the command that makes a client. */
const generators: readonly (readonly [packages: readonly string[], command: string])[] = [
  [["openapi-typescript", "openapi-fetch"], "openapi-typescript openapi.json -o itemtape.d.ts"],
  [["@hey-api/openapi-ts", "zod"], "openapi-ts -i openapi.json -o itemtape -p @hey-api/client-fetch @hey-api/sdk zod"],
  [["orval", "zod"], "orval --input openapi.json --output itemtape.ts --client fetch"],
  [
    ["swagger-typescript-api"],
    "swagger-typescript-api generate --path openapi.json --output itemtape --enum-style union",
  ],
  [["oazapfts", "@oazapfts/runtime"], "oazapfts openapi.json itemtape.ts"],
  [["typed-openapi", "zod"], "typed-openapi openapi.json -o itemtape.ts -r zod"],
];

/** Returns the table of the lines that install each generator in the tested versions and run it. */
function generatorTable(root: string): string {
  const manifest = readFileSync(join(root, "scripts/sdk/package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const pinned = (names: readonly string[]) => names.map((name) => `${name}@${dependencies[name]}`).join(" ");
  return table(
    ["install", "run"],
    generators.map(([packages, command]) => [`\`npm i ${pinned([...packages, "typescript"])}\``, `\`npx ${command}\``]),
  );
}
