import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect } from "chai";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { casesBySize } from "../support/size.ts";
import { begins, ExportServer, errorLine, items, lines, linesOf, refuses, sends } from "./export-server.ts";

type Send = (response: ServerResponse) => void;

const formats = ["ndjson", "csv", "parquet", "sqlite"] as const;
const key = "itemtape_live_secret";
const whole = lines.map((line) => `${line}\n`).join("");
const head = lines.slice(0, 3);
const twice = [...lines.slice(0, 3), lines[2]!, ...lines.slice(3)];

/** Sends this many bytes, then closes the connection normally or breaks it. */
const cutAt =
  (bytes: number, isClean: boolean): Send =>
  (response) => {
    begins(response, []).write(Buffer.from(whole).subarray(0, bytes), () => {
      if (isClean) response.end();
      else response.destroy();
    });
  };

/** The failure, the exit code, and the message. */
const broken: readonly [title: string, send: Send, code: number, description: RegExp][] = [
  ["a generation that changed", sends([...head, errorLine("snapshot_changed")]), 90, /^itemtape: export changed: /],
  [
    "a service that gave up",
    sends([...head, errorLine("snapshot_interrupted")]),
    91,
    /^itemtape: export interrupted: /,
  ],
  ["no end", sends(lines.slice(0, -1)), 92, /^itemtape: export truncated: .*without its `end`/],
  ["an item twice", sends(twice), 93, /^itemtape: export malformed: .*item 2 is listed twice/],
  [
    "other prices",
    sends(linesOf(items.map((item) => ({ ...item, asks: item.asks.map((ask) => ({ ...ask, amount: 77 })) })))),
    94,
    /^itemtape: export digest: .*its `digest` differs from [0-9a-f]{64}/,
  ],
];

const refused: readonly [title: string, send: Send, code: number, description: RegExp][] = [
  [
    "an unknown key",
    refuses(401, "invalid_api_key"),
    77,
    /HTTP 401 `invalid_api_key`: said so; the environment variable ITEMTAPE_API_KEY holds the key/,
  ],
  ["a used-up month", refuses(429, "monthly_quota_exceeded", { "retry-after": "1" }), 69, /try again next month/],
  ["no more starts", refuses(429, "snapshot_daily_limit", { "retry-after": "7200" }), 75, /try again in 7200 s/],
  ["another media type", (response) => void response.writeHead(200).end("hello"), 65, /export: /],
];

describe("failing export", () => {
  const folder = temporaryFolder();
  const path = join(folder, "market.out");
  let server: ExportServer;
  before(async () => {
    server = await ExportServer.start();
  });
  beforeEach(() => {
    server.reset();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (file: string, ...words: string[]) =>
    runHere(["export", file, ...words], { env: { ITEMTAPE_API_KEY: key, ITEMTAPE_URL: server.base } });

  for (const [title, send, code, description] of broken) {
    it(`exits with ${code} and keeps the old file when broken by ${title}`, async () => {
      server.script = [send];
      for (const format of formats) {
        const ran = await run(path, "--format", format);
        expect([ran.code, ran.lines], `${format} ${ran.notes}`).to.deep.equal([code, []]);
        expect(ran.notes.at(-1)).to.match(description).and.include("market.out is not written");
        expect(readdirSync(folder), format).to.deep.equal([]);
      }
      writeFileSync(path, "old");
      expect((await run(path, "--format", "csv", "--force")).code).to.equal(code);
      expect(readFileSync(path, "utf8")).to.equal("old");
      expect(readdirSync(folder)).to.deep.equal(["market.out"]);
    });
  }

  it("leaves no file if the stream ends early at any byte", async () => {
    const bytes = Buffer.byteLength(whole);
    for (let at = 0; at < bytes; at += 97) {
      server.script = [cutAt(at, at % 2 === 0)];
      const { code, notes } = await run(path, "--format", "csv", "--no-digest");
      expect(code, `byte ${at}: ${notes}`).to.equal(92);
      expect(readdirSync(folder)).to.deep.equal([]);
    }
    server.script = [cutAt(bytes - 1, true)];
    expect((await run(path, "--format", "csv", "--no-digest")).code).to.equal(92);
    server.script = [cutAt(bytes, true)];
    expect((await run(path, "--format", "csv", "--no-digest")).code).to.equal(0);
  });

  for (const [title, send, code, description] of refused) {
    it(`exits with ${code} and leaves no file when refused by ${title}`, async () => {
      server.script = [send];
      const ran = await run(path, "--format", "sqlite", "--attempts", "3");
      expect([ran.code, ran.lines, ran.notes.length], `${ran.notes}`).to.deep.equal([code, [], 1]);
      expect(ran.notes[0]).to.match(description).and.not.include(key);
      expect(server.requests).to.deep.equal(["POST /v1/markets/snapshot"]);
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  }

  it("exits with 75 and leaves no file without a server", async () => {
    const gone = await ExportServer.start();
    const { base } = gone;
    gone.close();
    const { code, notes } = await run(path, "--format", "csv", "--url", base);
    expect([code, notes.length]).to.deep.equal([75, 3]);
    expect(notes[2]).to.match(/cannot be reached.*; is it running there, and is --url right\?$/);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  const gateway = (status: number) => (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "text/html" }).end("<html>");
  const outages = [
    ["a proxy answers 502", gateway(502), "HTTP 502"],
    ["a proxy cuts the connection", (response: ServerResponse) => void response.destroy(), "no answer"],
    ["a proxy answers 520", gateway(520), "HTTP 520"],
  ] as const;
  for (const [fault, away, told] of casesBySize(outages, 1)) {
    it(`recovers when ${fault} twice, and exits with 75 after the third time`, async () => {
      server.script = [away, away, sends(lines)];
      const { code, notes } = await run(path, "--format", "ndjson");
      expect([code, notes.slice(0, 2)], `${notes}`).to.deep.equal([
        0,
        [`export: ${told}; asking again`, `export: ${told}; asking again`],
      ]);
      rmSync(path);
      server.script = [away];
      expect([(await run(path, "--format", "ndjson")).code, existsSync(path)]).to.deep.equal([75, false]);
    });
  }

  it("waits for Retry-After, reports the wait and completes", async () => {
    server.script = [refuses(429, "snapshot_busy", { "retry-after": "0" }), sends(lines)];
    const { code, notes } = await run(path, "--format", "csv");
    expect(code).to.equal(0);
    expect(notes[0]).to.match(/^streamMarketSnapshot: HTTP 429, snapshot_busy; waiting \d+ s$/);
    expect(server.requests.slice(0, 2)).to.deep.equal(Array(2).fill("POST /v1/markets/snapshot"));
  });

  it("repeats as often as --attempts allows, only if that may help", async () => {
    const changed = sends([...head, errorLine("snapshot_changed")]);
    server.script = [changed, sends(lines)];
    const again = await run(path, "--format", "ndjson", "--attempts", "2", "--json");
    expect([again.code, JSON.parse(again.lines[0]!).attempts]).to.deep.equal([0, 2]);
    expect(readFileSync(path, "utf8")).to.equal(whole);
    expect(again.notes).to.include("export changed: attempt 2 of 2 follows");
    server.reset();
    server.script = [changed];
    expect((await run(path, "--format", "csv", "--attempts", "2", "--force")).code).to.equal(90);
    expect(server.requests).to.have.length(2);
    server.reset();
    server.script = [sends(["{nothing"])];
    expect((await run(path, "--format", "csv", "--attempts", "2", "--force")).code).to.equal(93);
    expect(server.requests).to.have.length(1);
    expect(readFileSync(path, "utf8")).to.equal(whole);
  });

  it("names --no-digest and leaves no file if the service lacks the digest", async () => {
    server.digest = refuses(404, "generation_not_found");
    const { code, notes } = await run(path, "--format", "csv");
    expect([code, readdirSync(folder)]).to.deep.equal([94, []]);
    expect(notes.at(-1)).to.match(/has no digest of it.*--no-digest$/);
    expect((await run(path, "--format", "csv", "--no-digest")).code).to.equal(0);
  });

  it("exits with the refusal's code and no file for a refused digest", async () => {
    server.digest = refuses(429, "monthly_quota_exceeded");
    const { code, notes } = await run(path, "--format", "csv");
    expect([code, readdirSync(folder)]).to.deep.equal([69, []]);
    expect(notes.at(-1)).to.match(
      /^itemtape: export unconfirmed: the export of g\d+ is complete, but its digest could not be requested; .* is not written; getGeneration: HTTP 429 `monthly_quota_exceeded`.*; or skip the comparison with --no-digest$/,
    );
  });

  it("sends no request if the file cannot be created", async () => {
    writeFileSync(path, "old");
    mkdirSync(join(folder, "a-folder"));
    symlinkSync(join(folder, "nowhere"), join(folder, "a-link"));
    const cases: [words: string[], code: number, description: RegExp][] = [
      [[path, "--format", "csv"], 73, /the file exists; --force replaces it$/],
      [[join(folder, "a-folder"), "--format", "csv", "--force"], 73, /not a regular file/],
      [[join(folder, "a-link"), "--format", "csv", "--force"], 73, /the link has no target/],
      [[join(folder, "no", "x.csv"), "--format", "csv"], 73, /cannot create a file in its folder \(ENOENT\)$/],
      [["/proc/x.csv", "--format", "csv"], 73, /cannot create a file in its folder/],
      [[join(path, "x.csv"), "--format", "csv"], 73, /cannot create a file there \(ENOTDIR\)$/],
      [[join(folder, "x".repeat(256)), "--format", "csv"], 73, /cannot create a file there \(ENAMETOOLONG\)$/],
      [["", "--format", "csv"], 64, /^itemtape: FILE: must be the name of a file/],
      [[`${folder}/new/`, "--format", "csv"], 64, /^itemtape: FILE: must be the name of a file/],
      [
        ["-", "--format", "ndjson"],
        64,
        /^itemtape: FILE: must be a file, not standard output, because an export is verified only at its end/,
      ],
      [
        [path],
        64,
        /--format: must be one of ndjson, csv, parquet, sqlite; a FILE that ends in \.csv or another of these needs none$/,
      ],
      [[path, "--format", "xlsx"], 64, /--format: must be one of/],
      [[path, "--format", "csv", "--attempts", "0"], 64, /--attempts: must be a whole number from 1 to 10, not `0`$/],
      [
        [join(folder, "new"), "--format", "csv", "--url", "http://a:b@c"],
        64,
        /--url: must be the address of a service/,
      ],
    ];
    for (const [words, code, description] of cases) {
      const [file, ...more] = words as [string, ...string[]];
      const ran = await run(file, ...more);
      expect([ran.code, ran.notes.length], `${words}`).to.deep.equal([code, 1]);
      expect(ran.notes[0]).to.match(description);
    }
    expect(server.requests).to.deep.equal([]);
    expect(readdirSync(folder).sort()).to.deep.equal(["a-folder", "a-link", "market.out"]);
    expect(readFileSync(path, "utf8")).to.equal("old");
  });

  it("never replaces a file created meanwhile, nor a link", async () => {
    server.script = [
      (response) => {
        writeFileSync(path, "meanwhile");
        sends(lines)(response);
      },
    ];
    const { code, notes } = await run(path, "--format", "csv");
    expect([code, readFileSync(path, "utf8")]).to.deep.equal([73, "meanwhile"]);
    expect(notes.at(-1)).to.match(/another process created the file, so the export was discarded/);
    server.reset();
    const link = join(folder, "link");
    symlinkSync(path, link);
    expect((await run(link, "--format", "ndjson", "--force")).code).to.equal(0);
    expect(readFileSync(path, "utf8")).to.equal(whole);
    expect(readdirSync(folder).sort()).to.deep.equal(["link", "market.out"]);
    expect(existsSync(link)).to.equal(true);
  });
});
