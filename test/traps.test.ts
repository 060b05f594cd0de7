import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import * as ts from "typescript-native/unstable/ast";
import { parseSources } from "../scripts/support/syntax.ts";
import { openWriter, writeTransaction } from "../src/store/database.ts";
import { lengthenExport, startExport } from "./api/exports.ts";
import { useWorld } from "./support/world.ts";

/** A test by its title, or a case of a corpus by its text, in a file of this folder. */
type Proof = { file: string; title: string };
type Trap = { is: string; proofs: readonly Proof[] };

/** Behaviours of SQLite, Node and the libraries that would break a promise, each with what shows that it does not. */
const traps: Record<string, Trap> = {
  T1: {
    is: "a file in WAL mode is opened without full durability the second time",
    proofs: [
      {
        file: "store/file.test.ts",
        title: "every opening of a file for writing is durable and guarded, the first and every later one",
      },
      { file: "access/ledger/file.test.ts", title: "is durable however often the file is opened" },
    ],
  },
  T2: {
    is: "waiting for another writer's lock blocks the event loop",
    proofs: [
      {
        file: "access/ledger/group-commit.test.ts",
        title: "waits for another writer without stopping the program, then refuses, then continues",
      },
      { file: "api/status.test.ts", title: "the status is answered while another process holds the writer's lock" },
      { file: "import/quotes/publish.test.ts", title: "gives up the writer's lock within 20 ms" },
    ],
  },
  T3: {
    is: "a deferred transaction fails halfway when another writer came between",
    proofs: [
      {
        file: "traps.test.ts",
        title: "a write transaction that meets another writer fails before it has read anything",
      },
    ],
  },
  T4: {
    is: "a connection that iterates cannot write",
    proofs: [
      { file: "traps.test.ts", title: "charges continue, and the log is written back, while exports are stalled" },
    ],
  },
  T5: {
    is: "an open read transaction keeps the log from being written back",
    proofs: [
      { file: "traps.test.ts", title: "charges continue, and the log is written back, while exports are stalled" },
      { file: "domain/market-snapshot.test.ts", title: "holds no read transaction between two pages" },
    ],
  },
  T6: {
    is: "an empty file is a database and a missing one is made",
    proofs: [
      { file: "store/file.test.ts", title: "opening a database never creates a file" },
      { file: "store/refusals.test.ts", title: "every kind of refusal has an exit code of its own" },
    ],
  },
  T7: {
    is: "flipped bits pass SQLite's own check",
    proofs: [
      {
        file: "store/check/check.test.ts",
        title: "random single-bit flips that change any answer",
      },
    ],
  },
  T8: {
    is: "a conditional header turns an answer into an undeclared 304",
    proofs: [
      {
        file: "api/server.test.ts",
        title: "a condition on anything but the tag gets a full answer, and every conditional request is charged",
      },
      { file: "api/conditional.test.ts", title: "a 304 costs the unit and the attempt of a 200" },
    ],
  },
  T9: {
    is: "malformed percent-encoding throws in a path and passes in a query",
    proofs: [
      { file: "api/transport-cases.ts", title: "%E0%A4%A" },
      { file: "api/faults.ts", title: "a malformed path" },
    ],
  },
  T10: {
    is: "0x10, 1e1 and +10 pass as integers",
    proofs: [
      { file: "api/parameters.test.ts", title: "0x10" },
      { file: "api/faults.ts", title: "0x10" },
    ],
  },
  T11: {
    is: "NUL, dots and encoded slashes pass as texts and slugs",
    proofs: [
      { file: "api/transport-cases.ts", title: "%00" },
      { file: "contract/document.test.ts", title: "admit canonical slugs, cursors and search texts, and no others" },
      { file: "api/faults.ts", title: "st%2Feam" },
    ],
  },
  T12: {
    is: "repeated headers, foreign versions and absolute targets are accepted, unexpected bodies ignored",
    proofs: [
      { file: "api/transport-cases.ts", title: "two Authorizations" },
      { file: "api/transport-cases.ts", title: "two Hosts" },
      { file: "api/transport-cases.ts", title: "absolute of another host" },
      { file: "api/transport-cases.ts", title: "a body at the export" },
    ],
  },
  T13: {
    is: "Node and the libraries answer by themselves, without a problem record",
    proofs: [
      { file: "api/transport-cases.ts", title: "an unknown expectation" },
      { file: "api/transport-cases.ts", title: "9 KiB of headers" },
      { file: "api/transport.test.ts", title: "a wrong method gets an answer that lists the allowed methods" },
      { file: "api/server.test.ts", title: "an unexpected error is a 503 without internal detail, and is counted" },
    ],
  },
  T14: {
    is: "an answer to garbage is written into the middle of a running export",
    proofs: [
      {
        file: "api/server.test.ts",
        title: "garbage behind a running export ends the export without another byte in its stream",
      },
    ],
  },
  T15: {
    is: "half a request keeps the server from closing",
    proofs: [{ file: "api/server.test.ts", title: "an unfinished request does not delay the shutdown of the server" }],
  },
  T16: {
    is: "slow headers hold a connection for a minute",
    proofs: [
      {
        file: "api/server.test.ts",
        title: "a slow header is cut off, and the connections of others are served meanwhile",
      },
    ],
  },
  T17: {
    is: "writing to a reader that stalls fills the memory",
    proofs: [
      {
        file: "api/streams.test.ts",
        title: "a stalled reader costs one page of memory and gets no byte after its deadline",
      },
      { file: "faults/exports.test.ts", title: "eight unread exports cost no memory while they stall" },
    ],
  },
  T18: {
    is: "a full disk shows in several ways",
    proofs: [
      {
        file: "access/ledger/file.test.ts",
        title: "is refused by a full disk as a whole, and succeeds when there is room",
      },
      { file: "faults/space.test.ts", title: "a disk without any room gives 503 and charges nothing" },
    ],
  },
  T19: {
    is: "a running statement cannot be stopped",
    proofs: [
      { file: "store/market-query-plans.test.ts", title: "no statement scans a table of the market" },
      { file: "access/query-plans.test.ts", title: "read by index: none scans a table that grows" },
    ],
  },
  T20: {
    is: "deleted bytes stay in the file",
    proofs: [
      {
        file: "access/accounts.test.ts",
        title: "leaves no 16 bytes of any secret in the file, its log or its shared memory",
      },
    ],
  },
};

const folder = fileURLToPath(new URL(".", import.meta.url));

describe("known traps of SQLite, Node and the libraries", () => {
  const world = useWorld();

  it("twenty traps are listed", () => {
    expect(Object.keys(traps)).to.deep.equal(Array.from({ length: 20 }, (_, index) => `T${index + 1}`));
  });

  it("an emptied or skipped test is no proof", () => {
    const skipped = `it.${"skip"}("c d", () => expect(1));`;
    const text = `const f = () => expect(1); it("a b", () => {}); ${skipped} it("e f", () => f());`;
    expect(assertingTests(parseSources(new Map([["x.ts", text]])).get("x.ts")!)).to.deep.equal(["e f"]);
  });

  let sources: ReturnType<typeof parseSources>;
  before(() => {
    const files = Object.values(traps).flatMap(({ proofs }) => proofs.map(({ file }) => file));
    sources = parseSources(new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")])));
  });

  for (const [number, { is, proofs }] of Object.entries(traps)) {
    it(`${number}: that ${is} is shown not to happen here`, () => {
      expect(proofs.length).to.be.greaterThan(0);
      for (const { file, title } of proofs) {
        const source = sources.get(file)!;
        const isTest = file.endsWith(".test.ts") && title.includes(" ");
        const isThere = isTest
          ? assertingTests(source).some((one) => one.includes(title))
          : source.text.includes(title);
        expect(isThere, `test/${file} no longer has a test "${title}" that expects something`).to.equal(true);
      }
    });
  }

  it("a write transaction that meets another writer fails before it has read anything", () => {
    const release = world.lockFile();
    const database = openWriter(world.path, 0);
    let entered = false;
    expect(() =>
      writeTransaction(database, () => {
        entered = true;
      }),
    ).to.throw("database is locked");
    database.$client.close();
    release();
    expect(entered).to.equal(false);
  });

  it("no transaction that writes is begun in another way", () => {
    const source = fileURLToPath(new URL("../src", import.meta.url));
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    // PostgreSQL knows no deferred transaction; of the file, what is copied there is read in one.
    const ofFile = files.filter((file) => !file.startsWith(join("store", "postgres")));
    const deferred = ofFile.filter((file) => {
      const text = readFileSync(join(source, file), "utf8");
      return /\.transaction\((?![^\n]*\)\.immediate\()|["'`]BEGIN(?! IMMEDIATE| EXCLUSIVE)/.test(text);
    });
    // These write nothing: the callers of one turn, what a run of the model reads over many, what is read at once, of one portfolio, in
    // one turn.
    const reads = ["database.ts", "read/credentials.ts", "read/portfolios.ts", "read/shared-read.ts"];
    const stores = reads.map((file) => join("store", file));
    expect(deferred.sort()).to.deep.equal(stores);
  });

  it("charges continue, and the log is written back, while exports are stalled", async () => {
    lengthenExport(world);
    const accounts = Array.from({ length: 3 }, () => world.account("trader"));
    const stalled = await Promise.all(accounts.map(({ secret }) => startExport(world, secret)));
    for (const { secret } of accounts) {
      for (let count = 0; count < 20; count += 1) {
        const { status } = await world.client.call("getItem", { key: secret, path: { item_id: 1 } });
        expect(status).to.equal(200);
      }
    }
    const [checkpoint] = world.change(({ $client }) => $client.pragma("wal_checkpoint(TRUNCATE)")) as {
      busy: number;
      log: number;
    }[];
    expect(checkpoint).to.include({ busy: 0, log: 0 });
    for (const one of stalled) one.cut();
    expect(accounts.map(({ accountId }) => world.used(accountId))).to.deep.equal([21, 21, 21]);
  });
});

/** Titles of the tests of a file, as they are written, that run and expect something, themselves or in a function of the file. */
function assertingTests(source: ts.SourceFile): string[] {
  const calls: ts.CallExpression[] = [];
  const functions = new Map<string, ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) calls.push(node);
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) functions.set(node.name.text, node);
    const isArrow = ts.isVariableDeclaration(node) && node.initializer !== undefined;
    if (isArrow && ts.isIdentifier(node.name)) functions.set(node.name.text, node);
    node.forEachChild(visit);
  };
  visit(source);
  const namesIn = (node: ts.Node): string[] => {
    const names = ts.isIdentifier(node) ? [node.text] : [];
    node.forEachChild((child) => void names.push(...namesIn(child)));
    return names;
  };
  const expects = (node: ts.Node, seen: ReadonlySet<string> = new Set()): boolean =>
    namesIn(node).some((name) => {
      if (name === "expect") return true;
      const called = functions.get(name);
      return called !== undefined && !seen.has(name) && expects(called, new Set([...seen, name]));
    });
  return calls.flatMap(({ expression, arguments: [title, body] }) => {
    const isTest = ts.isIdentifier(expression) && expression.text === "it";
    if (!isTest || title === undefined || body === undefined || !expects(body)) return [];
    return [title.getText(source).slice(1, -1)];
  });
}
