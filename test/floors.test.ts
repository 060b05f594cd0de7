import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Rooms of `src` that each room may import besides itself. Rooms in `typesOnly` are allowed in `import type` only. */
const rooms: Record<string, { may: readonly string[]; typesOnly?: readonly string[] }> = {
  values: { may: [], typesOnly: ["generated"] },
  contract: { may: ["generated", "values"] },
  roi: { may: ["values"], typesOnly: ["contract"] },
  wire: { may: ["values"], typesOnly: ["contract"] },
  store: { may: ["db", "generated", "roi", "values", "wire"], typesOnly: ["contract"] },
  access: { may: ["store", "values", "wire", "worker"], typesOnly: ["contract"] },
  domain: { may: ["roi", "store", "values", "wire"], typesOnly: ["access", "contract"] },
  import: { may: ["domain", "roi", "store", "values", "wire"] },
  releases: { may: ["generated", "store", "values"] },
  jobs: { may: ["access", "domain", "import", "releases", "roi", "store", "values", "wire", "worker"] },
  demo: { may: ["access", "domain", "import", "jobs", "roi", "store", "values", "wire"] },
  api: { may: ["access", "contract", "domain", "values", "wire"], typesOnly: ["config", "log"] },
  web: { may: ["access", "api", "client", "contract", "values", "wire"], typesOnly: ["config", "log", "store"] },
  worker: { may: ["values"] },
  client: { may: ["generated", "values"] },
  agent: { may: ["client", "contract", "generated", "values"] },
  config: { may: ["values"] },
  ops: { may: ["access", "contract", "store", "values"], typesOnly: ["log"] },
  log: { may: ["values"], typesOnly: ["ops", "store"] },
  review: { may: ["values"] },
  // No room imports it, because an ordinary server does not contain the sandbox.
  sandbox: {
    may: ["access", "api", "app.ts", "contract", "demo", "import", "jobs", "log", "store", "values", "worker"],
  },
  kit: { may: ["contract", "values"] },
};
/** The command line and the files that put the program together may import every room. */
const mayImportAll = ["app.ts", "compose.ts", "following.ts", "cli"];
/** Commands that only talk to a server, and so run without a database. */
const clientCommands = /^src\/cli\/(connect|export|find|get|mcp|roi|sync)\b/;
/** Write the market into a SQLite file of the user's own. */
const writesOwnSqliteFile: readonly string[] = ["src/cli/export/sqlite-writer.ts", "src/cli/sync/sqlite-copy.ts"];
/** Opens files with the pragmas of every connection. */
const openingSeam = "src/store/file/bare.ts";
/** Knows the root, and whether the program runs from a checkout or a package. `src/cli/itemtape.mjs` starts before it. */
const rootModule = "src/values/root.ts";
const ownAddress = /new URL\([^)]*import\.meta\.url|import\.meta\.(?:dirname|filename)/;
const skips = "test/support/skip.ts";
const ownSkip = /\b(?:this|test|it|describe|context)\.skip\b|\bx(?:it|describe|context)\(/;
const linesMax = 400;
/** A file with fewer lines is small. */
const smallLinesMax = 60;

type Import = { from: string; to: string; onlyTypes: boolean };
type Files = ReadonlyMap<string, string>;
type Rule = (files: Files) => string[];

describe("layout of the source", () => {
  const tree = readTree(["src", "scripts", "test", "db/schema", "db/postgres"]);

  const rules: readonly { title: string; rule: Rule }[] = [
    {
      title: "each folder imports only its permitted folders",
      rule: wrongImports,
    },
    {
      title: "only the store imports schema, query builder and SQLite binding",
      rule: sqlOutsideStore,
    },
    {
      title: "only src/values/root.ts finds the program's files by its own address",
      rule: (files) =>
        [...files]
          .filter(
            ([path, text]) =>
              path.startsWith("src/") && path !== rootModule && !path.endsWith(".mjs") && ownAddress.test(text),
          )
          .map(([path]) => path),
    },
    { title: `files are opened through ${openingSeam} only`, rule: openedPastSeam },
    { title: "src and scripts have no import cycles, types included", rule: circles },
    {
      title: "only openapi-typescript imports TypeScript 5",
      rule: (files) =>
        [...files].filter(([, text]) => /^import [^;]*from "typescript"/m.test(text)).map(([path]) => path),
    },
    {
      title: "scripts import no test file",
      rule: (files) =>
        importsIn(files)
          .filter(({ from, to }) => from.startsWith("scripts/") && to.startsWith("test/"))
          .map(({ from }) => from),
    },
    {
      title: "only values/time/clock reads time; only values/chance and values/ids read chance",
      rule: timeAndChance,
    },
    {
      title: "stores with handwritten SQL say why Drizzle does not build it",
      rule: unexplainedSql,
    },
    { title: "each exported function and class of src and scripts has a docstring", rule: undocumented },
    { title: "each exported type of src and scripts is imported somewhere", rule: unusedTypes },
    {
      title: `tests are skipped only by ${skips}, with a reason`,
      rule: (files) =>
        [...files]
          .filter(([path, text]) => path.startsWith("test/") && path !== skips && ownSkip.test(text))
          .map(([path]) => path),
    },
    {
      title: `no file has more than ${linesMax} lines`,
      rule: (files) =>
        [...files].filter(([, text]) => text.trimEnd().split("\n").length > linesMax).map(([path]) => path),
    },
    {
      title: `a file of at most ${smallLinesMax} lines with one importer explains itself`,
      rule: crumbs,
    },
  ];

  for (const { title, rule } of rules) {
    it(title, () => {
      expect(rule(tree)).to.deep.equal([]);
    });
  }
});

function readTree(folders: readonly string[]): Files {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|[cm]js)$/.test(name) && !name.includes("node_modules") && !name.startsWith("package/"))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function importsIn(files: Files): Import[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s+(?:(type\s)?[^;"]*?from\s+)?"(\.[^"]+)"|(?:import|require)\(\s*"(\.[^"]+)"/g;
  return [...files].flatMap(([from, text]) =>
    [...text.matchAll(pattern)].map((match) => {
      const to = normalize(join(dirname(from), match[2] ?? match[3] ?? "")).replaceAll("\\", "/");
      return { from, to, onlyTypes: match[1] !== undefined };
    }),
  );
}

/** Small files with one importer in the same folder and no explanation. A file that a test imports has a second importer. */
function crumbs(files: Files): string[] {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of importsIn(files)) importers.set(to, (importers.get(to) ?? new Set()).add(from));
  return [...files]
    .filter(([path, text]) => /^(src|scripts)\//.test(path) && text.trimEnd().split("\n").length <= smallLinesMax)
    .filter(([path, text]) => {
      const from = [...(importers.get(path) ?? [])];
      const isAlone = from.length === 1 && dirname(from[0]!) === dirname(path);
      return isAlone && !/(\/\/|\*).*\b(of its own|of their own|apart)\b/.test(text);
    })
    .map(([path]) => path);
}

function undocumented(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!/^(src|scripts)\//.test(path)) return [];
    const lines = text.split("\n");
    return lines.flatMap((line, index) => {
      const name = /^export (?:async )?(?:function|class) (\w+)/.exec(line)?.[1];
      return name === undefined || /(\*\/|^\/\/ biome-ignore .*)$/.test(lines[index - 1] ?? "")
        ? []
        : [`${path}: ${name}`];
    });
  });
}

/** The client exports its types for users of the package. */
function unusedTypes(files: Files): string[] {
  const lists = /\{([^{}]*)\}\s*from\s|import\("[^"]*"\)\.(\w+)/g;
  const imported = new Set<string>();
  for (const text of files.values()) {
    for (const [, names = "", one = ""] of text.matchAll(lists)) {
      for (const [name] of `${names} ${one}`.matchAll(/\w+/g)) imported.add(name);
    }
  }
  return [...files].flatMap(([path, text]) =>
    !/^(src|scripts)\//.test(path) || path.startsWith("src/client/")
      ? []
      : [...text.matchAll(/^export type (\w+)/gm)]
          .filter(([, name]) => !imported.has(name!))
          .map(([, name]) => `${path}: ${name}`),
  );
}

/** `domain` of `src/domain/quotes.ts`, `app.ts` of `src/app.ts`, `generated` of `generated/openapi.d.ts`. */
function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "src" ? second : first;
}

function wrongImports(files: Files): string[] {
  return importsIn(files)
    .filter(({ from }) => from.startsWith("src/"))
    .filter((one) => !isAllowed(one))
    .map(({ from, to }) => `${from} -> ${to}`);
}

function isAllowed({ from, to, onlyTypes }: Import): boolean {
  const [source, target] = [roomOf(from), roomOf(to)];
  if (clientCommands.test(from) && target === "import") return false;
  // An ordinary server contains neither the sandbox nor the kit that plays it.
  if (target === "sandbox" || target === "kit") return source === target || source === "kit" || source === "cli";
  if (source === target || mayImportAll.includes(source)) return true;
  if (onlyTypes && target === "generated") return true;
  const { may, typesOnly = [] } = rooms[source] ?? { may: [] };
  return may.includes(target) || (onlyTypes && typesOnly.includes(target));
}

function sqlOutsideStore(files: Files): string[] {
  const sql =
    /(?:from|import|import\()\s*"(drizzle-orm|better-sqlite3|[./]*\/store\/file\/bare\.ts|[./]*\/db\/(?:schema|postgres))|\$client\b/;
  return [...files]
    .filter(([path]) => !writesOwnSqliteFile.includes(path))
    .filter(([path, text]) => path.startsWith("src/") && !path.startsWith("src/store/") && sql.test(text))
    .map(([path]) => path);
}

function openedPastSeam(files: Files): string[] {
  return [...files]
    .filter(
      ([path, text]) =>
        path.startsWith("src/") && path !== openingSeam && /^import (?!type)[^;]*"better-sqlite3"/m.test(text),
    )
    .map(([path]) => path);
}

/** Omits the checks: they read rows as stored, regardless of the schema. */
function unexplainedSql(files: Files): string[] {
  const isByHand = (text: string) =>
    /["`]\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text) && !/from "drizzle-orm"/.test(text);
  // Handlers read through these: one statement by hand is enough.
  const readsByHand = (path: string, text: string) =>
    path.startsWith("src/store/read/") && /lient\s*\.prepare\b/.test(text) && /["`]\s*(SELECT|WITH)\b/.test(text);
  return [...files]
    .filter(([path]) => path.startsWith("src/store/") && !path.startsWith("src/store/check/"))
    .filter(([path, text]) => (isByHand(text) || readsByHand(path, text)) && !/(\/\/|\*).*Drizzle/.test(text))
    .map(([path]) => path);
}

function timeAndChance(files: Files): string[] {
  const banned = [
    { pattern: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bhrtime\b/, only: /^src\/values\/time\/clock\.ts$/ },
    {
      pattern: /\bMath\.random\(|\brandomBytes\(|\brandomUUID\(|\brandomInt\(|\bgetRandomValues\(/,
      only: /^src\/values\/(?:chance|ids)\.ts$/,
    },
  ];
  // Code in a browser uses the browser's clock.
  const own = [...files].filter(([path]) => path.startsWith("src/") && !path.includes("/browser/"));
  return banned.flatMap(({ pattern, only }) =>
    own.filter(([path, text]) => !only.test(path) && pattern.test(text)).map(([path]) => path),
  );
}

function circles(files: Files): string[] {
  const graph = new Map<string, string[]>();
  for (const { from, to } of importsIn(files)) {
    if (!from.startsWith("test/")) graph.set(from, [...(graph.get(from) ?? []), to]);
  }
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string | null => {
    if (way.includes(path)) return circleText(way.slice(way.indexOf(path)));
    if (done.has(path)) return null;
    for (const next of graph.get(path) ?? []) {
      const circle = visit(next, [...way, path]);
      if (circle !== null) return circle;
    }
    done.add(path);
    return null;
  };
  const found = [...graph.keys()].map((path) => visit(path, [])).filter((circle) => circle !== null);
  return [...new Set(found)];
}

/** The same text wherever the walk entered the circle. */
function circleText(circle: readonly string[]): string {
  const first = circle.indexOf([...circle].sort()[0]!);
  const turned = [...circle.slice(first), ...circle.slice(0, first)];
  return [...turned, turned[0]].join(" -> ");
}
