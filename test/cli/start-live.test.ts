import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { brotliCompressSync } from "node:zlib";
import { expect } from "chai";
import { examine } from "../../src/cli/doctor/doctor.ts";
import { main } from "../../src/cli/main.ts";
import { Stopped } from "../../src/cli/signals.ts";
import { bearer, jobsOff, programPath } from "../faults/child.ts";
import { answer, type Behaviour, FeedServer } from "../jobs/mirror/feed-server.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFewItemsFile } from "../support/kept-files.ts";
import { MarketFile } from "../support/market-file.ts";
import { itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { alone } from "./broken-setups.ts";

const realNames = ["Chroma Case", "AK-47 | Redline (Field-Tested)", "★ Karambit | Fade (Factory New)"];

/** A body in the documented shape. */
function skinportBody(names: readonly string[], firstPrice = 0.4): string {
  const entries = names.map((market_hash_name, index) => {
    const price = firstPrice + index;
    const page = `https://skinport.example/item/${index}`;
    const prices = { suggested_price: price, min_price: price, max_price: price, mean_price: price, quantity: 3 };
    const times = { created_at: 1_535_988_253, updated_at: 1_568_073_728 };
    return { market_hash_name, currency: "USD", item_page: page, market_page: page, ...prices, ...times };
  });
  return JSON.stringify(entries);
}

/** The answer of the documented source: packed with brotli, and at most eight in five minutes. */
function skinport(body: string): Behaviour {
  let answers = 0;
  const packed = brotliCompressSync(body);
  return (socket, head, server) => {
    answers += 1;
    const isAsked =
      /^get \/v1\/items\?app_id=730&currency=usd http/.test(head) && /accept-encoding: .*\bbr\b/.test(head);
    const reply = answers > 8 ? answer(429) : isAsked ? answer(200, packed, { "Content-Encoding": "br" }) : answer(406);
    reply(socket, head, server);
  };
}

describe("start --live", function () {
  this.timeout(120_000);
  const server = new FeedServer();
  const children = new Set<Started>();
  let db: string;
  let itemNames: string[];
  before(() => server.start());
  after(() => server.stop());
  beforeEach(() => {
    const file = new MarketFile();
    itemNames = Array.from({ length: 4 }, (_, index) => `Item ${index + 1}`);
    for (const [index, name] of itemNames.entries()) file.item(index + 1, { name });
    file.reader.$client.close();
    file.writer.$client.close();
    db = file.path;
    server.behave = skinport(skinportBody(itemNames));
    server.heads.length = 0;
  });
  afterEach(async () => {
    for (const child of children) await child.stop();
    children.clear();
  });

  const source = () => `skinport=http://127.0.0.1:${server.port}/v1/items`;
  const live = (...words: string[]) => ["start", "--live", ...words, "--db", db, "--port", "0"];
  const config = () => JSON.parse(readFileSync(join(dirname(db), "mirror.json"), "utf8")) as { feeds: Feed[] };
  const start = (words: readonly string[]) => {
    const child = new Started([...words, ...jobsOff]);
    children.add(child);
    return child;
  };

  it("serves first prices with a printed key, and continues without a source", async () => {
    const child = start(live(source(), "--terms-read", "--json"));
    const told = await child.told();
    expect(told.sign_in_url.startsWith(`${told.url}/dashboard/sign-in-link#`)).to.equal(true);
    const read = await fetch(`${told.url}/v1/items/1/markets`, { headers: bearer({ secret: told.key }) });
    expect(await read.json()).to.have.nested.property("data.asks[0].amount", 40);
    const shown = await runHere(["accounts", "show", told.account_id, "--db", db, "--json"]);
    expect(JSON.parse(shown.lines[0]!)).to.include({ name: "owner", plan: "quant", plan_ends_at: null });
    const dayMs = 86_400_000;
    const examined = async (days: number, check = "keys") => {
      const bounds = { feedHoursMax: 1e6, backupHoursMax: 26, freeBytesMin: 1 };
      const found = await examine(doctorConfig(db), bounds, Date.now() + days * dayMs);
      return found.find((one) => one.check === check);
    };
    expect(await examined(31)).to.include({ status: "ok" });
    expect(await examined(77)).to.include({
      status: "warning",
      found: `the last key of owner ends on ${new Date(Date.now() + 90 * dayMs).toISOString().slice(0, 10)}`,
    });
    expect(await examined(100)).to.include({ fix: "make a new one: `npx itemtape keys create owner --days 90`" });
    const { terms, ...feed } = config().feeds[0]!;
    expect(feed).to.deep.equal({
      feed: "skinport",
      adapter: "mapped",
      mapping: "skinport",
      source: source().slice(9),
      interval_seconds: 600,
    });
    expect(terms).to.include({ url: "https://skinport.com/tos", source: source().slice(9) });
    expect(await child.stop("SIGTERM")).to.equal(0);
    expect(await examined(0, "server")).to.include({ fix: "start one with `npx itemtape start --live`" });
    const again = start(live());
    await again.listens();
    expect(again.text).to.not.match(/itemtape_live_|keys create/);
    const link = await runHere(["sign-in", "--db", db, "--port", "9000"], { isTerminal: true });
    expect(link.lines.at(-1)).to.match(/^ {2}http:\/\/127\.0\.0\.1:9000\/dashboard\/sign-in-link#\w{20,}$/);
    const made = await runHere(["keys", "create", "owner", "--days", "90", "--db", db], { isTerminal: true });
    expect(made.lines.join("\n")).to.match(/^secret {3}itemtape_live_/m);
  });

  it("asks for the terms once, and again when an address has changed", async () => {
    const questions: string[] = [];
    const asking = async (reply: string | Stopped, ...words: string[]) => {
      const notes: string[] = [];
      const ask = async (question: string) => {
        if (reply instanceof Stopped) throw reply;
        questions.push(question);
        return reply;
      };
      const out = { line: () => undefined, note: (text: string) => void notes.push(text), isTerminal: true, ask };
      return { code: await main([...live(...words), "--host", "192.0.2.1"], {}, out), notes: notes.join("\n") };
    };
    const no = await asking("", source());
    expect([no.code, no.notes]).to.satisfy(([, notes]: [number, string]) => /read the terms first/.test(notes));
    expect(no.notes).to.include("terms: https://skinport.com/tos").and.include("is unknown");
    const stopped = await asking(new Stopped("SIGINT"), source());
    expect([stopped.code, stopped.notes.split("\n").at(-1)]).to.deep.equal([
      130,
      "itemtape: stopped by SIGINT; nothing was changed; run the same command again to continue",
    ]);
    expect(server.heads).to.deep.equal([]);
    writeFileSync(
      join(dirname(db), "mirror.json"),
      JSON.stringify({ feeds: [{ ...readFeed(), terms: yesTo("old") }] }),
    );
    expect((await asking("y")).notes).to.include("192.0.2.1:0: the address cannot be used");
    writeFileSync(join(dirname(db), "mirror.json"), JSON.stringify({ feeds: [{ ...readFeed(), terms: yesTo() }] }));
    await asking("y");
    expect(questions).to.deep.equal(["Have you read them? (y/N) ", "Have you read them? (y/N) "]);
  });

  const readFeed = () => ({
    feed: "skinport",
    adapter: "mapped",
    mapping: "skinport",
    source: source().slice(9),
    interval_seconds: 600,
  });
  const yesTo = (url = "https://skinport.com/tos") => {
    return { url, source: source().slice(9), read_at: "2026-01-01T00:00:00Z" };
  };

  it("refuses in one line with the next step, and changes no files", async () => {
    const taken = createServer();
    await once(taken.listen(0, "127.0.0.1"), "listening");
    const { port } = taken.address() as { port: number };
    const closed = await closedPort();
    const missing = join(temporaryFolder(), "market.db");
    const here = (...words: string[]) => live(source(), "--terms-read", ...words);
    const cutBody = brotliCompressSync(skinportBody(itemNames)).subarray(0, 80);
    const cases: [words: string[], code: number, says: RegExp, behave?: Behaviour][] = [
      [live(source()), 64, /read the terms, then add --terms-read$/],
      [live("skinport="), 64, /skinport has no address; write skinport=URL/],
      [live("skinport=http://shop.example/"), 65, /the feed skinport: the source must be https/],
      [
        ["start", "--live", source(), "--db", join(dirname(db), "no", "x.db")],
        74,
        /the folder does not exist: \S+; create it/,
      ],
      [
        live(source(), "--mirror-config", join(dirname(db), "no", "m.json")),
        74,
        /the folder does not exist: \S+; create it/,
      ],
      [live("skinprt"), 64, /no source `skinprt`, perhaps `skinport`; there are market-csgo, skinify, skinport/],
      [live("prices.json"), 64, /`prices\.json` needs --mapping/],
      [live(source(), "--mapping", "skinify"), 64, /`skinify` belongs to no FILE or URL of --live/],
      [live("skinify", "--terms-read"), 65, /ITEMTAPE_FEED_SKINIFY_TOKEN is not set/],
      [["start", "--mapping", "skinport", "--db", db], 64, /--mapping belongs to --live/],
      [["start", "--live", "--db", missing, "--port", "0"], 64, /\S+ does not exist yet; name a source, as in `npx/],
      [["start", "--live", source(), "--db", demoFewItemsFile().path], 64, /holds the demo world/],
      [
        ["start", "--live", source(), "--terms-read", "--db", db, "--port", String(port)],
        75,
        new RegExp(`127\\.0\\.0\\.1:${port}: the port is in use; .*--port`),
      ],
      [
        live(`skinport=http://127.0.0.1:${closed}/`, "--terms-read"),
        75,
        /the connection was refused; is this machine online/,
      ],
      [here(), 77, /skinport: HTTP 403; the source refuses access: its terms/, answer(403)],
      [here(), 75, /skinport: HTTP 429; .*in five minutes/, answer(429)],
      [here(), 66, /HTTP 404; this address has no prices/, answer(404)],
      [here(), 75, /HTTP 502; the source is unavailable/, answer(502)],
      [here(), 75, /the body was cut off; is this machine online/, answer(200, cutBody, { "Content-Encoding": "br" })],
      [here(), 65, /skinport: .*not JSON.*Nothing was changed/, answer(200, "<html>")],
    ];
    const before = readFileSync(db);
    for (const [words, code, says, behave] of cases) {
      server.behave = behave ?? skinport(skinportBody(itemNames));
      const ran = await runHere(words);
      expect([ran.code, ran.notes.at(-1)], words.join(" ")).to.satisfy(
        ([got, text]: [number, string]) => got === code && says.test(text),
      );
    }
    taken.close();
    expect(readFileSync(db).equals(before)).to.equal(true);
    expect(readdirSync(dirname(db)).filter((name) => !name.endsWith(".lock"))).to.deep.equal(["market.db"]);
    expect(existsSync(missing)).to.equal(false);
  });

  itLong("shows the demo's keys if a signal arrives after its creation", async () => {
    const path = join(temporaryFolder(), "itemtape.db");
    const child = start(["start", "--db", path, "--port", "0"]);
    await until("the file has its name", () => existsSync(path));
    expect(await child.stop("SIGTERM"), child.text).to.equal(0);
    expect(child.text).to.match(/Builder {2}itemtape_live_/);
  });

  itLong("creates the file from the shipped catalog, also for two simultaneous starts", async () => {
    db = join(temporaryFolder(), "market.db");
    server.behave = answer(403);
    const refused = await runHere(live(source(), "--terms-read"));
    expect([refused.code, readdirSync(dirname(db))]).to.deep.equal([77, []]);
    server.behave = skinport(skinportBody(realNames));
    const both = [start(live(source(), "--terms-read", "--json")), start(live(source(), "--terms-read", "--json"))];
    const ends = await Promise.all(both.map((child) => Promise.race([child.listens().then(() => null), child.ended])));
    expect(ends.toSorted()).to.deep.equal([75, null]);
    const loser = both[ends.indexOf(75)]!;
    expect(loser.text)
      .to.match(/a server is running on it/)
      .and.not.include("    at ");
    const winner = both[ends.indexOf(null)]!;
    const { url, key } = await winner.told();
    const found = await fetch(`${url}/v1/openables?limit=1`, { headers: bearer({ secret: key }) });
    expect(await found.json()).to.have.nested.property("data[0].slug");
    const stopped = start(["start", "--live", source(), "--terms-read", "--db", `${db}.2`, "--port", "0"]);
    await until("it has begun", () => stopped.text.includes("catalog"));
    expect(await stopped.stop("SIGINT")).to.equal(130);
    expect(stopped.text).to.include("run the same command again");
    expect(readdirSync(dirname(db)).filter((name) => name.startsWith("market.db.2"))).to.deep.equal([]);
  });
});

function doctorConfig(db: string) {
  const none = { ...alone, backups: "" };
  return { db, mirrorConfig: join(dirname(db), "mirror.json"), ...none };
}

type Told = { url: string; account_id: string; key: string; sign_in_url: string };
type Feed = { feed: string; source: string; terms?: object };

async function closedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A program in its own process, with its whole output. */
class Started {
  text = "";
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #printed = "";

  constructor(words: readonly string[]) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(ITEMTAPE_|PORT$)/.test(name)));
    this.#child = spawn(process.execPath, [programPath, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child.stdout.on("data", (text: string) => {
      this.#printed += text;
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.text += text;
      });
    this.ended = once(this.#child, "close").then(([code]) => code as number | null);
  }

  /** Waits until it listens. */
  async listens(): Promise<void> {
    await until("it listens", () => /Itemtape listens on/.test(this.text));
  }

  /** Waits until it listens, and returns its JSON. Standard output contains nothing more. */
  async told(): Promise<Told> {
    await this.listens();
    await until("its JSON is there", () => this.#printed.endsWith("\n"));
    return JSON.parse(this.#printed) as Told;
  }

  async stop(signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}
