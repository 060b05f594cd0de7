import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { startApp } from "../../../src/app.ts";
import type { FeedAdapter } from "../../../src/import/quotes/adapters.ts";
import { readMapping } from "../../../src/import/quotes/mapping.ts";
import { BodyReader, type ReaderLimits, readerLimits } from "../../../src/jobs/mirror/body/body-reader.ts";
import { createEvents } from "../../../src/log/events.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { systemClock } from "../../../src/values/time/clock.ts";
import { FaultFile } from "../../faults/fault-file.ts";
import { bySize, itLong } from "../../support/size.ts";
import { until } from "../../support/until.ts";
import { answer, type Behaviour, conditional } from "./feed-server.ts";
import { canonicalBody, limits, MirrorWorld, steamBody } from "./mirror-world.ts";

const prices = { "Item 0": 100, "Item 1": 200, "Item 2": 300, "Item 3": 400, "Nothing like it": 5 };
/** Every value becomes an object when it is read: many times the bytes of the text. */
const swellingBy = (times: number) => Buffer.from(`[${"{},".repeat(times)}{}]`);
const swelling = swellingBy(bySize({ short: 500_000, long: 1_000_000 }));
/** Needs three times the heap limit of `small`. `swelling` needs about the limit. */
const swollen = swellingBy(bySize({ short: 1_500_000, long: 3_000_000 }));
const wide = { timeoutMs: 60_000, stallMs: 20_000, bytesMax: 16 * 1024 * 1024 };
const token = "hush-hush-7f3a9c0e1b";
const secrets = { headers: { authorization: token }, query: {} };
const small: Partial<ReaderLimits> = { heapMbMax: bySize({ short: 32, long: 64 }) };
/** The share of the largest body that the test reads, and of the memory limit of its process. In the short form both are a quarter. */
const ofBound = bySize({ short: 0.25, long: 1 });
const idleMb = { heap: 8, memory: 22 };
const bound: ReaderLimits = {
  ...readerLimits,
  wholeBytesMax: ofBound * readerLimits.wholeBytesMax,
  heapMbMax: Math.round(idleMb.heap + ofBound * (readerLimits.heapMbMax - idleMb.heap)),
  memoryMbMax: Math.round(idleMb.memory + ofBound * (readerLimits.memoryMbMax - idleMb.memory)),
};

describe("bodies read in another process", function () {
  this.timeout(120_000);
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  function starts(bounds: Partial<ReaderLimits> = {}, own = limits): BodyReader {
    world.reader = new BodyReader({ ...readerLimits, ...bounds });
    world.restart(world.feed({ limits: own }));
    return world.reader;
  }

  async function polls(behave: Behaviour) {
    world.server.behave = behave;
    await world.turnAfter(hourMs);
    return world.take();
  }
  const names = (reported: Awaited<ReturnType<typeof polls>>) => reported.map(({ event }) => event);

  it("are published and reported like bodies read in this process", async () => {
    const here = new MirrorWorld();
    await here.server.start();
    try {
      const seen = [];
      for (const one of [world, here]) {
        if (one === world) starts();
        else one.restart(one.feed());
        one.server.behave = answer(200, brotliCompressSync(steamBody(prices)), { "Content-Encoding": "br" });
        await one.turnAfter(hourMs);
        const reported = one.take().map(({ event, facts }) => [event, { ...facts, hold_ms_max: 0 }]);
        seen.push({ reported, published: one.published(), frames: one.frames() });
      }
      expect(seen[0]).to.deep.equal(seen[1]);
    } finally {
      await here.stop();
    }
  });

  it("start no process if unchanged, and change nothing if only repacked", async () => {
    const reader = starts();
    const text = steamBody(prices);
    const compressed = (level: number) => answer(200, gzipSync(text, { level }), { "Content-Encoding": "gzip" });
    expect(names(await polls(compressed(1)))).to.include("generationPublished");
    expect(names(await polls(compressed(1))))
      .to.include("feedUnchanged")
      .and.not.include("feedVerified");
    expect(names(await polls(conditional(text, '"1"'))))
      .to.include("feedUnchanged")
      .and.not.include("feedVerified");
    expect(names(await polls(conditional(text, '"1"')))).to.include("feedUnchanged");
    expect(reader.started).to.equal(2);
  });

  const excesses: [what: string, bounds: Partial<ReaderLimits>, body: Buffer | string, reason: RegExp][] = [
    ["uses too much heap", small, swollen, /reading the body needs too much memory; its process was ended/],
    // Its process lives long enough for many memory checks, even on a busy machine.
    ["uses too much memory", { memoryMbMax: 1 }, swelling, /needs too much memory/],
    [
      "contains too many prices",
      { pricesMax: 4 },
      steamBody(prices),
      /has more than 4 prices; .*`npx itemtape mirror`/,
    ],
    ["produces too long a reply", { replyBytesMax: 200 }, steamBody(prices), /more prices than 200 bytes can hold/],
  ];
  for (const [what, bounds, body, reason] of excesses) {
    it(`are rejected and named if one ${what}`, async () => {
      starts(bounds, { ...limits, bytesMax: wide.bytesMax });
      const [failed] = await polls(answer(200, body));
      expect(failed?.facts).to.include({ feed: "steam", failures: 1 });
      expect(failed?.facts.reason).to.match(reason);
      if (bounds === small) expect(names(await polls(answer(200, steamBody(prices))))).to.include("feedVerified");
    });
  }

  itLong("fit the memory limit for a mapped body near the size bound", async () => {
    const entries = Array.from({ length: ofBound * 34_000 }, (_, index) => ({
      market_hash_name: `★ StatTrak™ M9 Bayonet | Tiger Tooth (Factory New) ${index}`,
      currency: "USD",
      item_page: `https://skinport.example/item/stattrak-m9-bayonet-tiger-tooth-factory-new-${index}`,
      market_page: `https://skinport.example/market?item=Tiger%20Tooth&cat=Knife&type=M9%20Bayonet&exterior=2&stattrak=1&n=${index}`,
      suggested_price: 1234.5 + index,
      min_price: 1100.25 + index,
      max_price: 2300.75 + index,
      mean_price: 1500.5 + index,
      median_price: 1420.5,
      quantity: 1 + (index % 40),
      created_at: 1535988253,
      updated_at: 1696108253,
    }));
    await isReadNearBound(readMapping("skinport", "/"), JSON.stringify(entries), entries.length);
  });

  itLong("fit the memory limit for a Steam body of many short entries", async () => {
    const prices = Array.from(
      { length: bySize({ short: 58_700, long: 230_000 }) },
      (_, index) => [`★ StatTrak™ M9 Bayonet | Tiger Tooth (Factory New) ${index}`, 100 + index] as const,
    );
    await isReadNearBound("steam", steamBody(Object.fromEntries(prices), systemClock.now()), prices.length);
  });

  /** Reads a body near the size limit for bodies that are read as a whole. */
  async function isReadNearBound(adapter: FeedAdapter, text: string, prices: number): Promise<void> {
    const body = Buffer.from(text);
    expect(body.length / bound.wholeBytesMax).to.be.within(0.95, 1);
    const order = { name: "b", adapter, contentEncoding: null, bytesMax: body.length, secrets: null };
    const times = { timeoutMs: wide.timeoutMs, signal: new AbortController().signal };
    const said = await new BodyReader(bound).read({ ...order, at: systemClock.now() }, [body], times);
    if ("refusal" in said) throw new Error(said.refusal);
    expect(said.bytes).to.equal(Buffer.byteLength(text));
    expect(said.reading.open().observations.length).to.equal(prices);
  }

  it("are abandoned with the reason on a timeout or abort", async () => {
    const order = { name: "b", adapter: "steam", contentEncoding: null, bytesMax: 1000, at: 0, secrets: null } as const;
    const ending = new AbortController();
    const reader = new BodyReader();
    const reads = [1, 60_000].map((timeoutMs) =>
      reader.read(order, [Buffer.from("{}")], { timeoutMs, signal: ending.signal }),
    );
    const reasons = Promise.all(reads.map((read) => read.catch((error: Error) => error.message)));
    await Promise.race(reads).catch(() => ending.abort(new Error("the mirror ends")));
    expect(await reasons).to.deep.equal([
      "reading the body lasts longer than 0.001 s; its process was ended",
      "the mirror ends",
    ]);
  });

  itLong("leave a server responsive despite a bomb, and publish the good feed", async () => {
    const bodies: Record<string, Buffer | string> = {
      "/bomb": gzipSync(Buffer.alloc(bySize({ short: 20, long: 32 }) * 1024 * 1024, " "), { level: 1 }),
      "/steam": gzipSync(swellingBy(bySize({ short: 100_000, long: 1_000_000 }))),
      "/echo": canonicalBody("echo", "echo", { [`Item ${token}`]: 100 }),
      "/good": canonicalBody("good", "good", { "Item 0": 100 }),
    };
    const source = createServer(
      ({ url = "", headers }, response) => void response.end(headers.authorization === token ? bodies[url] : ""),
    ).listen(0, "127.0.0.1");
    await new Promise((resolve) => source.once("listening", resolve));
    const { port } = source.address() as AddressInfo;
    const file = new FaultFile({ from: world.path });
    const logged: string[] = [];
    const events = createEvents("debug", { write: (line) => void logged.push(line) });
    const failed: string[] = [];
    const own = events.feedFailed;
    events.feedFailed = (facts) => {
      failed.push(`${facts.feed}: ${facts.reason}`);
      own(facts);
    };
    const feeds = Object.keys(bodies).map((path) => {
      const url = `http://127.0.0.1:${port}${path}`;
      const feed = path.slice(1);
      const adapter = feed === "steam" ? "steam" : "canonical";
      return world.feed({ feed, adapter, source: { kind: "http", url, secrets }, limits: wide });
    });
    const app = await startApp({
      config: { host: "127.0.0.1", port: 0, opsPort: 0, connectionsMax: 64, inFlightMax: 64 },
      databasePath: file.path,
      clock: systemClock,
      ids: systemIds(),
      events,
      mirror: { feeds, publishEveryMs: 0 },
    });
    try {
      const before = process.memoryUsage.rss();
      let highest = before;
      await until(
        "the hostile bodies were refused",
        async () => {
          expect((await fetch(`http://127.0.0.1:${app.port}/v1/status`)).status).to.equal(200);
          highest = Math.max(highest, process.memoryUsage.rss());
          return failed.length >= 3 && (events.counters.get("generations_published") ?? 0) > 0;
        },
        60_000,
      );
      // A million objects exceed the process's limit. A tenth of them is read, but is not a feed.
      const refusal = bySize({ short: "not the Steam shape", long: "reading the body needs too much memory" });
      expect(failed.sort().join("\n")).to.match(
        /^bomb: .*line 1: longer than 65536 bytes; .*\necho: the body contains a secret.*\nsteam: .*/,
      );
      expect(failed.at(-1)).to.contain(refusal);
      expect((highest - before) / 1024 / 1024, "megabytes").to.be.below(160);
      const metrics = await (await fetch(`http://127.0.0.1:${app.opsPort}/metrics`)).text();
      const status = await (await fetch(`http://127.0.0.1:${app.port}/v1/status`)).text();
      // Lock files appear and disappear meanwhile, and are empty.
      const names = readdirSync(file.folder).filter((name) => !name.includes("lock"));
      const files = names.map((name) => readFileSync(join(file.folder, name), "latin1"));
      expect(metrics).to.include("itemtape_");
      expect(logged.join("")).to.include("echo");
      for (const text of [metrics, status, ...logged, ...files]) expect(text.includes(token)).to.equal(false);
    } finally {
      await app.close(0);
      source.close();
      file.remove();
    }
  });
});
