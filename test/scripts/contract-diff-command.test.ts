import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { stringify } from "yaml";
import { type Node, repositoryRoot } from "../../scripts/contract/document.ts";
import { contractDiff, guarded, type Outcome } from "../../src/review/command.ts";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";
import { needTool, skip } from "../support/skip.ts";

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true }));

describe("contract:diff command", () => {
  const old = written("old.yaml", document({}));

  it("reports no change between YAML and JSON of one document", async () => {
    const same = join(folder, "same.json");
    writeFileSync(same, JSON.stringify(document({})));
    const { stdout, stderr, exitCode } = await contractDiff([old, same]);
    expect([exitCode, stderr]).to.deep.equal([0, ""]);
    expect(stdout).to.contain("No change that affects clients.");
  });

  it("accepts a YAML anchor with many aliases, but no explosion of aliases", async () => {
    const text = stringify(document({}));
    const many = written("many.yaml", `${text}x-a: &a [1]\nx-many: [${"*a, ".repeat(300)}]\n`);
    expect((await contractDiff([many, many])).exitCode).to.equal(0);
    const levels = Array.from(
      { length: 9 },
      (_, level) => `x-${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}]\n`,
    );
    expectRefused(
      await contractDiff([written("laughs.yaml", `${text}x-0: &l0 [1]\n${levels.join("")}`), old]),
      65,
      "Excessive alias count",
    );
  });

  itLong("compares a git revision with the working tree", async function () {
    needTool(this, "git", "--version");
    const { status } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: repositoryRoot });
    if (status !== 0) skip(this, "the checkout has no history");
    const { stdout, stderr } = await contractDiff(["HEAD", "--json"]);
    expect(stderr === "" || stderr.includes("changelog")).to.equal(true);
    expect(JSON.parse(stdout)).to.include.keys("before", "after", "counts", "changes", "changelog");
  });

  it("reads the last commit of a revision's date", async function () {
    needTool(this, "git", "--version");
    const checkout = temporaryFolder();
    for (const name of ["src/review", "src/values"])
      cpSync(join(repositoryRoot, name), join(checkout, name), { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules"), join(checkout, "node_modules"));
    const git = (...args: string[]) =>
      spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@a.example", ...args], { cwd: checkout });
    git("init", "-q");
    // The second date has two commits, and the working tree is not committed.
    for (const [most, date] of [
      [9, "2026-01-01"],
      [8, "2026-02-01"],
      [7, "2026-02-01"],
      [6, "2026-03-01"],
    ] as const) {
      writeFileSync(join(checkout, "openapi.yaml"), stringify(document({ most, date })));
      git("add", "openapi.yaml");
      git("commit", "-qm", `${most}`);
    }
    writeFileSync(join(checkout, "openapi.yaml"), stringify(document({ most: 5, date: "2026-04-01" })));
    const copy: typeof import("../../src/review/command.ts") = await import(
      pathToFileURL(join(checkout, "src/review/command.ts")).href
    );
    const { stdout } = await copy.contractDiff(["revision=2026-02-01", "--json"]);
    expect(JSON.parse(stdout).changes.map(({ before, after }: Node) => [before, after])).to.deep.include(["7", "5"]);
    const older = await copy.contractDiff(["revision=2026-01-01", "revision=2026-03-01", "--json"]);
    expect(JSON.parse(older.stdout).changes.map(({ before, after }: Node) => [before, after])).to.deep.include([
      "9",
      "6",
    ]);
    expectRefused(await copy.contractDiff(["revision=2026-02-02"]), 66, "no commit has a document of this");
    expectRefused(await copy.contractDiff(["revision=yesterday"]), 66, "write the date as YYYY-MM-DD");
  });

  describe("breaking change", () => {
    it("exits with 1 and shows the required entry if it is missing", async () => {
      const { stdout, exitCode } = await contractDiff([old, broken([])]);
      expect(exitCode).to.equal(1);
      expect(stdout)
        .to.contain("lacks an entry")
        .and.contain("change_id: 2")
        .and.contain("revision: ")
        .and.contain("operations: [ getItem ]");
    });

    it("exits with 0 if a new entry names each operation, or all", async () => {
      for (const operations of [["getItem"], ["listItems", "getItem"], []]) {
        const { stdout, exitCode } = await contractDiff([
          old,
          broken([{ change_id: 2, kind: "breaking", operations }]),
        ]);
        expect(exitCode, operations.join()).to.equal(0);
        expect(stdout).to.contain("announces it in its new entry 2");
      }
    });

    it("is not covered by an old entry or another kind or operation", async () => {
      const entries = [
        { change_id: 2, kind: "additive", operations: ["getItem"] },
        { change_id: 2, kind: "breaking", operations: ["listItems"] },
        { change_id: 1, kind: "breaking", operations: ["getItem"] },
      ];
      for (const entry of entries) {
        expect((await contractDiff([old, broken([entry])])).exitCode, JSON.stringify(entry)).to.equal(1);
      }
    });

    it("is covered by the old or new name of a renamed operation", async () => {
      for (const name of ["getItem", "readItem"]) {
        const changelog = [{ change_id: 2, kind: "breaking", operations: [name] }];
        const renamed = written("named.yaml", document({ id: "readItem", changelog }));
        expect((await contractDiff([old, renamed])).exitCode).to.equal(0);
      }
    });
  });

  it("reports kind, operations, places, rule, sentence and values in JSON", async () => {
    const outcome = await contractDiff([old, broken([]), "--json"]);
    expect(JSON.parse(outcome.stdout)).to.deep.include({
      counts: { breaking: 1, "may-break": 0, additive: 0, wording: 0 },
      changelog: { entries: [], uncovered: ["getItem"] },
      changes: [
        {
          kind: "breaking",
          rule: "bound",
          says: "Requests with a number over 5 are refused from now on.",
          before: "9",
          after: "5",
          operations: ["getItem"],
          places: ["query parameter page"],
          file: join(folder, "broken.yaml"),
          line: 18,
          witness: {
            exchange: {
              request: {
                method: "get",
                path: "/v1/a",
                server: null,
                query: [["page", "9"]],
                headers: {},
                caller: { credentials: {}, scope: "none", plan: "none", units: 1000, hasMinute: true },
                accept: null,
                body: null,
                means: {},
              },
              answer: null,
              near: ["parameters", "query page", "schema"],
            },
            fault: "the query page does not fit",
          },
        },
      ],
    });
  });

  it("reports the file and line of a change in each format", async () => {
    const changed = broken([]);
    const place = `${changed}:18`;
    const shown = async (format: string) => (await contractDiff([old, changed, "--format", format])).stdout;
    expect(await shown("text")).to.contain(`${place}: breaking: getItem: Requests with a number over 5`);
    expect(await shown("markdown")).to.contain(`(bound, ${place})`);
    expect(await shown("github")).to.match(/^::error file=.*broken\.yaml,line=18,title=Breaking%3A getItem::Requests /);
    expectRefused(await contractDiff([old, changed, "--format", "html"]), 64, "--format: must be one of");
  });

  it("reports the parent's line after a removal, also for documents by address", async () => {
    const server = createServer((_, response) => response.end(stringify(document({}))));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.yaml`;
    const without = document({});
    const { paths } = without as { paths: Record<string, unknown> };
    delete paths["/v1/b"];
    const { stdout } = await contractDiff([address, written("less.yaml", without), "--format", "text"]);
    server.close();
    expect(stdout).to.match(/less\.yaml:9: breaking: listItems: The operation was removed/);
  });

  it("removes control characters of documents from the report", async () => {
    const { stdout } = await contractDiff([old, written("odd.yaml", document({ parameter: "a\u001b[31m<b>" }))]);
    expect(stdout).to.contain("has the name a?[31m&lt;b> now").and.not.contain("\u001b");
  });

  it("exits with 64 and a reason for invalid arguments", async () => {
    expectRefused(await contractDiff([]), 64, "the document to compare with is missing");
    expectRefused(await contractDiff([old, old, old]), 64, "at most two");
    expectRefused(await contractDiff(["HEAD", "--yaml"]), 64, "--yaml: unknown flag");
    expectRefused(await contractDiff(["HEAD", "--json=1"]), 64, "--json: accepts no value");
    expect((await contractDiff(["--help"])).stdout).to.contain("usage: npm run --silent contract:diff");
  });

  it("exits with 66 for an unreadable source", async () => {
    expectRefused(await contractDiff(["no-such-revision"]), 66, "unknown git revision");
    expectRefused(await contractDiff(["--", "--output=x"]), 66, "unknown git revision");
    expectRefused(await contractDiff([join(folder, "none.yaml")]), 66, "the file does not exist");
    expectRefused(await contractDiff(["HEAD:openapi.yaml"]), 66, "give the revision alone, HEAD,");
    expectRefused(await contractDiff(["/dev/fd/999999"]), 66, "the file does not exist");
  });

  it("exits with 70 and one line for an internal failure", async () => {
    const outcome = await guarded(async () => {
      throw new TypeError("no such\nthing");
    });
    expectRefused(outcome, 70, "unexpected fault: TypeError: no such?thing\n");
  });

  it("keeps its exit code when a reader closes the pipe early", async () => {
    const program = `"${process.execPath}" scripts/contract-diff.ts`;
    const shell = (script: string) =>
      spawnSync("bash", ["-c", script, "bash", old, broken([])], {
        cwd: repositoryRoot,
        encoding: "utf8",
        input: readFileSync(old),
      });
    const piped = shell(`${program} /dev/stdin <(cat "$2")`);
    expect(piped.status).to.equal(1);
    expect(piped.stdout).to.contain("# Contract changes from /dev/stdin to /dev/fd/").and.contain("## Breaking (1)");
    expect(piped.stderr).to.contain("breaking without a changelog entry: getItem");
    const closed = shell(`{ ${program} "$1" "$2"; echo "code $?" >&2; } | head -c 0`);
    expect(closed.stderr).to.contain("code 1").and.not.contain("EPIPE");
  });

  it("exits with 65 and a reason for an incomparable document", async () => {
    const ref = { $ref: "#/components/schemas/None" };
    const faults: [string, unknown][] = [
      ["is neither YAML nor JSON", "a: [1"],
      ["is not an OpenAPI 3 document", "a: 1"],
      ["has no `paths`", { openapi: "3.1.0" }],
      ["operationId getItem is given twice", document({ second: "getItem" })],
      ["get /v1/a has no operationId", { openapi: "3.1.0", paths: { "/v1/a": { get: { responses: {} } } } }],
      ["#/components/schemas/None has no target", { ...document({}), components: { schemas: { One: ref } } }],
      ["#/components/schemas/None has no target", { ...document({}), components: { schemas: { None: ref } } }],
      [
        "#/components/parameters/%ZZ has no target",
        { ...document({}), "x-a": { $ref: "#/components/parameters/%ZZ" } },
      ],
      ["holds itself", "openapi: 3.1.0\npaths: {}\nx-a: &a\n  b: *a\n"],
      ["is nested too deeply", JSON.stringify({ ...document({}), ...deepChain(3_000) })],
      ["points outside the document", { ...document({}), components: { schemas: { One: { $ref: "other.yaml" } } } }],
    ];
    for (const [message, content] of faults) {
      expectRefused(await contractDiff([written("faulty.yaml", content), old]), 65, message);
    }
  });
});

/** Schemas of which each refers to the next one. */
function deepChain(count: number): Node {
  const chain = Array.from({ length: count }, (_, index) => [
    `S${index}`,
    { items: { $ref: `#/components/schemas/S${index + 1}` } },
  ]);
  const first = {
    operationId: "first",
    responses: {},
    parameters: [{ name: "a", in: "query", schema: chain[0]?.[1] }],
  };
  return {
    paths: { "/v1/a": { get: first } },
    components: { schemas: { ...Object.fromEntries(chain), [`S${count}`]: {} } },
  };
}

function expectRefused({ stdout, stderr, exitCode }: Outcome, code: number, message: string): void {
  expect(stderr.toLowerCase()).to.contain(message.toLowerCase());
  expect([exitCode, stdout]).to.deep.equal([code, ""]);
}

type Shape = {
  date?: string;
  id?: string;
  second?: string;
  most?: number;
  parameter?: string;
  paths?: Node;
  changelog?: unknown[];
};

/** A document of two operations, the first with one parameter. */
function document({
  date,
  id = "getItem",
  second = "listItems",
  most = 9,
  parameter = "page",
  paths,
  changelog = [],
}: Shape): Node {
  const responses = { "200": { description: "Fine." } };
  const schema = { type: "integer", maximum: most };
  const get = { operationId: id, parameters: [{ name: parameter, in: "query", schema }], responses };
  return {
    openapi: "3.1.0",
    info: { title: "Test", version: "1.0.0", ...(date === undefined ? {} : { "x-itemtape-revision": date }) },
    "x-itemtape-changelog": [{ change_id: 1, kind: "additive", operations: [] }, ...changelog],
    paths: paths ?? { "/v1/a": { get }, "/v1/b": { get: { operationId: second, responses } } },
  };
}

/** A file of the document with a smaller bound. An entry with the first entry's id replaces the first. */
function broken(changelog: { change_id: number; kind: string; operations: string[] }[]): string {
  const it = document({ most: 5, changelog });
  if (changelog[0]?.change_id === 1) it["x-itemtape-changelog"] = changelog;
  return written("broken.yaml", it);
}

function written(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : stringify(content));
  return file;
}
