import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect } from "chai";
import { exportProgress } from "../../src/cli/export/run.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { ExportServer, lines, refuses } from "./export-server.ts";

const asksDigest = "GET /v1/markets/generations/g7";
const whole = lines.map((line) => `${line}\n`).join("");

describe("complete export", () => {
  const folder = temporaryFolder();
  const path = join(folder, "market.out");
  let server: ExportServer;
  before(async () => {
    server = await ExportServer.start();
  });
  beforeEach(() => {
    server.reset();
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...words: string[]) =>
    runHere(["export", path, "--format", "ndjson", ...words], {
      env: { ITEMTAPE_API_KEY: "itemtape_live_k", ITEMTAPE_URL: server.base },
    });
  const away = (response: ServerResponse) => void response.writeHead(502).end("bad gateway");
  const cut = (response: ServerResponse) => void response.destroy();

  for (const [title, fault, description] of [
    ["an answer of a proxy", away, "HTTP 502"],
    ["a cut connection", cut, "no answer"],
  ] as const) {
    it(`is kept over ${title}: only its digest is requested again`, async () => {
      server.digest = (response) => {
        server.digest = {};
        fault(response);
      };
      const { code, notes } = await run();
      expect([code, readFileSync(path, "utf8")], `${notes}`).to.deep.equal([0, whole]);
      expect(notes).to.deep.equal(["exporting", `getGeneration: ${description}; asking again`]);
      expect(server.requests).to.deep.equal(["POST /v1/markets/snapshot", asksDigest, asksDigest]);
    });
  }

  it("is discarded with the reason if three requests give no digest", async () => {
    server.digest = away;
    const { code, notes } = await run("--attempts", "3");
    expect([code, existsSync(path)]).to.deep.equal([75, false]);
    expect(server.requests).to.deep.equal(["POST /v1/markets/snapshot", asksDigest, asksDigest, asksDigest]);
    expect(notes.at(-1)).to.match(
      /is complete, but its digest could not be requested; .*market\.out is not written; getGeneration: HTTP 502 .*--no-digest$/,
    );
  });

  it("needs a unit for its digest, unless the check is skipped", async () => {
    const last = (response: ServerResponse) => {
      response.writeHead(200, {
        "content-type": "application/x-ndjson",
        "x-quota-remaining": "0",
        "x-request-id": JSON.parse(lines[0]!).request_id,
      });
      response.end(whole);
    };
    server.script = [last];
    const { code, notes } = await run("--attempts", "3");
    expect([code, readdirSync(folder), server.requests.length]).to.deep.equal([69, [], 1]);
    expect(notes.at(-1)).to.match(/used the last unit of the month.*getGeneration.*is not written; --no-digest skips/);
    expect((await run("--no-digest")).code).to.equal(0);
    expect(readFileSync(path, "utf8")).to.equal(whole);
  });

  it("does not request a refused digest twice", async () => {
    server.digest = refuses(403, "plan_upgrade_required");
    expect((await run()).code).to.equal(77);
    expect(server.requests).to.have.length(2);
  });
});

describe("export progress", () => {
  const progress = { items: 39_000, bytes: 19_100_000, itemId: 50, upTo: 100 };
  let nowMs = 0;
  const clock = { now: () => nowMs, monotonicMs: () => nowMs };
  const drawn = (isTTY: boolean, columns: number) => {
    const texts: string[] = [];
    nowMs = 0;
    const reported = exportProgress({ isTTY, columns, write: (text: string) => texts.push(text) }, clock);
    for (const atMs of [0, 50, 9000, 11_000]) {
      nowMs = atMs;
      reported.draw(progress);
    }
    return texts.map((text) => text.replace("\r\u001b[2K", ""));
  };

  it("starts with items and megabytes to suit a narrow terminal", () => {
    expect(drawn(true, 20)[0]).to.equal("39000 items 19.1 MB");
    expect(drawn(true, 80)[0]).to.equal(`39000 items 19.1 MB [${"#".repeat(10)}${"-".repeat(10)}]`);
  });

  it("is an occasional line without a terminal", () => {
    expect(drawn(false, 0)).to.deep.equal(["exporting\n", "exporting: 39000 items 19.1 MB\n"]);
  });
});
