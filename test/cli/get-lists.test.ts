import { execFileSync, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { clientOperations } from "../../generated/client-operations.ts";
import { dataText } from "../../src/cli/get/answer-text.ts";
import { main } from "../../src/cli/main.ts";
import { answerPaths } from "../../src/contract/answer-paths.ts";
import { isTable, type Plain, type Row } from "../../src/contract/answer-text.ts";
import { loadContract } from "../../src/contract/document.ts";
import { send, useScriptedServer } from "../client/scripted-server.ts";
import { recordingsOf } from "../contract/recordings.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";

const problem = { type: "/problems/p", title: "t", status: 500, code: "internal_error", detail: "d", request_id: "r" };

describe("long lists of `itemtape get`", () => {
  const folder = temporaryFolder();
  const server = useScriptedServer();
  let env: Record<string, string>;
  before(() => {
    env = { ITEMTAPE_API_KEY: "itemtape_live_k", ITEMTAPE_URL: server.base };
  });
  beforeEach(() => server.play());
  after(() => rmSync(folder, { recursive: true, force: true }));

  const page = (next_page: string | null) => ({
    data: [{ provider: `of ${next_page}`, name: "n" }],
    meta: { request_id: "r", generated_at: "t", next_page },
  });

  for (const more of [[], ["--json"]]) {
    it(`print the rows before a failure, and how to continue ${more.join(" ")}`, async () => {
      server.otherwise = (response, request) => {
        const [, after] = /after=(\w)/.exec(request.url ?? "") ?? [];
        const answer = after === "b" ? send(500, problem) : send(200, page(after === undefined ? "a" : "b"));
        answer(response, request);
      };
      const { code, lines, notes } = await runHere(["get", "listProviders", "--all", ...more], { env });
      expect(code).to.equal(65);
      expect(lines.filter((line) => line.includes("of "))).to.have.length(2);
      expect(notes).to.have.length(2);
      expect(notes[0]).to.equal("listProviders: stopped after 2 rows; go on with after=b");
      expect(notes[1]).to.match(/^itemtape: listProviders: HTTP 500 `internal_error`/);
    });
  }

  it("request no further page once the reader has gone", async () => {
    server.otherwise = send(200, page("a"));
    const out = { line: () => undefined, note: () => undefined, isTerminal: false, isDisconnected: () => true };
    expect(await main(["get", "listProviders", "--all"], env, out)).to.equal(0);
    expect(server.requests).to.have.length(1);
  });

  it("report an endless list once", async () => {
    server.otherwise = send(200, page("a"));
    const { notes } = await runHere(["get", "listProviders", "--all"], { env });
    expect(notes.at(-1)).to.match(/^itemtape: listProviders: the list does not end: /);
  });

  it("accept --fields for an empty list", async () => {
    server.otherwise = send(200, { ...page(null), data: [] });
    const { code, lines } = await runHere(["get", "listOpenables", "--fields", "slug,current.cost"], { env });
    expect([code, lines[0]]).to.deep.equal([0, "no rows"]);
    server.otherwise = send(200, { ...page(null), data: [{ slug: "a", current: null }] });
    const unknown = await runHere(["get", "listOpenables", "--fields", "slug,current.cost"], { env });
    expect(unknown.lines.slice(0, 2)).to.deep.equal(["slug  current.cost", "a                -"]);
  });

  it("show with --fields a field that a table omits", async () => {
    const asks = [{ provider: "a", amount: 1, currency: "USD", minor_units: 2 }];
    server.otherwise = send(200, { ...page(null), data: { item_id: 1, asks, bids: [] } });
    const { lines } = await runHere(["get", "getMarketPrices", "item_id=1", "--fields", "asks,item_id"], { env });
    expect(lines.slice(0, 5)).to.deep.equal(["item_id  1", "", "asks:", "  provider  amount", "  a          $0.01"]);
  });

  it("read names from a pipe", async () => {
    server.otherwise = send(200, { data: [], meta: { request_id: "r", generated_at: "t" } });
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const writer = spawn("sh", ["-c", `printf 'A, B\\n★ C\\n' > ${pipe}`]);
    const { code } = await runHere(["get", "resolveItemNames", `names=@${pipe}`], { env });
    writer.kill();
    expect([code, JSON.parse(server.requests[0]!.body)]).to.deep.equal([0, { names: ["A, B", "★ C"] }]);
  });
});

describe("fields of `--fields`", () => {
  it("are exactly the fields of the contract's recorded responses", () => {
    const recordings = recordingsOf(loadContract().document as unknown as { [key: string]: unknown });
    let seen = 0;
    for (const [operationId, operation] of Object.entries(clientOperations)) {
      if (operation.isStream) continue;
      const known = answerPaths(operation);
      for (const { value, status, operationId: id } of recordings) {
        if (id !== operationId || status !== 200) continue;
        const { data } = value as { data: Plain };
        for (const row of (Array.isArray(data) ? data : [data]) as Row[]) {
          expect(known, operationId).to.include.members(leavesOf(row, ""));
          expect(() => dataText(data, 80, known), operationId).to.not.throw();
          seen += 1;
        }
      }
    }
    expect(seen).to.be.greaterThan(40);
  });
});

/** Paths of all fields of one record. A null record has none. */
function leavesOf(row: Row, prefix: string): string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    if (value === null) return [];
    const isRecord = typeof value === "object" && !Array.isArray(value) && !isTable(value);
    return isRecord ? leavesOf(value as Row, `${prefix}${name}.`) : [`${prefix}${name}`];
  });
}
