import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");

/** Which floors a floor may stand on. Itself and type-only imports listed in `typesOnly` are allowed too. */
const mayImport: Record<string, readonly string[]> = {
  values: [],
  store: ["values"],
  access: ["store", "values", "launch.mjs"],
  domain: ["access", "store", "values"],
  ingest: ["domain", "store", "values", "launch.mjs"],
  contract: ["values"],
  http: ["contract", "domain", "access", "store", "values"],
  dashboard: ["http", "domain", "access", "store", "values", "launch.mjs"],
  client: ["generated", "values"],
  agent: ["client", "contract", "generated", "values"],
};
const typesOnly: Record<string, readonly string[]> = {
  domain: ["contract"],
  access: ["contract"],
  http: ["config.ts", "events.ts"],
  dashboard: ["config.ts", "events.ts"],
  values: ["generated"],
};

type Import = { from: string; to: string; onlyTypes: boolean };

describe("floors", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => /\.(ts|mjs)$/.test(name));
  const imports = files.flatMap(importsOf);

  it("each floor imports only the floors below it", () => {
    const wrong = imports.filter(({ from, to, onlyTypes }) => !allowed(floorOf(from), floorOf(to), onlyTypes));
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).to.deep.equal([]);
  });

  it("config and events import nothing of ours", () => {
    expect(imports.filter(({ from }) => from === "config.ts" || from === "events.ts")).to.deep.equal([]);
  });

  it("there are no circles of imports", () => {
    const graph = new Map<string, string[]>();
    for (const { from, to, onlyTypes } of imports) if (!onlyTypes) graph.set(from, [...(graph.get(from) ?? []), to]);
    expect(circleIn(graph)).to.equal(null);
  });

  it("time is read only in values/clock and chance only in values/ids", () => {
    const banned = [
      { pattern: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bhrtime\b/, only: "values/clock.ts" },
      {
        pattern: /\bMath\.random\(|\brandomBytes\(|\brandomUUID\(|\brandomInt\(|\bgetRandomValues\(/,
        only: "values/ids.ts",
      },
    ];
    const found = files.flatMap((file) =>
      banned
        // What runs in a browser has that browser's clock.
        .filter(({ only }) => file !== only && !file.includes("/browser/"))
        .filter(({ pattern }) => pattern.test(readFileSync(join(source, file), "utf8")))
        .map(({ only }) => `${file} (only ${only} may)`),
    );
    expect(found).to.deep.equal([]);
  });

  it("no file passes 300 lines", () => {
    const folders = ["src", "db/schema", "scripts", "test"];
    const all = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|mjs)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const long = all.filter((file) => readFileSync(join(root, file), "utf8").trimEnd().split("\n").length > 300);
    expect(long).to.deep.equal([]);
  });
});

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), "utf8");
  const pattern = /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;"]*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/g;
  return [...text.matchAll(pattern)].map((match) => {
    const target = relative(source, resolve(source, dirname(file), match[2] ?? match[3] ?? ""));
    return { from: file, to: target, onlyTypes: match[1] !== undefined };
  });
}

function floorOf(file: string): string {
  if (file.startsWith("..")) return file.split("/")[1] ?? file;
  return file.split("/")[0] ?? file;
}

function allowed(from: string, to: string, onlyTypes: boolean): boolean {
  if (from === to || from === "cli" || ["app.ts", "compose.ts"].includes(from)) return true;
  if (from === "contract" && to === "generated") return true;
  if (from === "store" && to === "db") return true;
  if (from === "ingest" && to === "db") return true;
  if (onlyTypes && (to === "generated" || typesOnly[from]?.includes(to))) return true;
  return mayImport[from]?.includes(to) ?? false;
}

function circleIn(graph: Map<string, string[]>): string | null {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(" -> ");
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle !== null) return circle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle !== null) return circle;
  }
  return null;
}
