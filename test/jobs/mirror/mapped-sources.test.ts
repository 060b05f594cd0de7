import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect } from "chai";
import { readMirrorConfig } from "../../../src/jobs/mirror/mirror-config.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { answer, type Behaviour } from "./feed-server.ts";
import { MirrorWorld } from "./mirror-world.ts";

const environment = { ITEMTAPE_FEED_KEY: "local-replay-key" };

/** A source after its documentation: a handmade body in its shape, and the request that a mirror must send. */
type Replay = {
  mapping: string;
  path: string;
  headers: object;
  /** Pattern of the request's head, in lower case. */
  asked: RegExp;
  body(currency: string): unknown;
  /** Asks in cents by item, as they are published. */
  asks: Readonly<Record<string, number | null>>;
  bids?: Readonly<Record<string, number>>;
};

const replays: Replay[] = [
  {
    mapping: "skinport",
    path: "/v1/items",
    headers: { Authorization: { env: "ITEMTAPE_FEED_KEY" } },
    asked: /^get \/v1\/items\?app_id=730&currency=usd http.*\r\nauthorization: local-replay-key\r\n/s,
    body: (currency) =>
      [4.35, 13.18, null, 1200].map((min_price, index) => ({
        market_hash_name: `Item ${index}`,
        currency,
        suggested_price: 9.99,
        item_page: `https://skinport.example/item/${index}`,
        market_page: "https://skinport.example/market/730",
        min_price,
        max_price: min_price,
        mean_price: min_price,
        quantity: min_price === null ? 0 : 3,
        created_at: 1_535_988_253,
        updated_at: 1_568_073_728,
      })),
    asks: { 1: 435, 2: 1318, 4: 120_000 },
  },
  {
    mapping: "skinslink",
    path: "/api/v1/merchant/purchase/available",
    headers: { "X-Api-Key": { env: "ITEMTAPE_FEED_KEY" } },
    asked: /available\?game=csgo&full=true http.*\r\nx-api-key: local-replay-key\r\n/s,
    body: () => {
      const offers = [
        ["1", "Item 0", 12.45],
        ["2", "Item 0", 11.2],
        ["3", "Item 1", 0.07],
        ["4", "Item 0", 11.2],
      ] as const;
      const items = offers.map(([id, name, price]) => ({ id, name, price, image_url: "https://cdn.example/1" }));
      return { success: true, message: "ok", data: { game: "csgo", total: items.length, items } };
    },
    asks: { 1: 1120, 2: 7 },
  },
  {
    mapping: "skinify",
    path: "/api/withdraw/prices",
    headers: { Authorization: { env: "ITEMTAPE_FEED_KEY" } },
    asked: /^get \/api\/withdraw\/prices\?game=csgo http.*\r\nauthorization: local-replay-key\r\n/s,
    body: () => ({ skins: [1.5, 22.31].map((price, index) => ({ name: `Item ${index}`, price, count: 4 })) }),
    asks: { 1: 150, 2: 2231 },
  },
  {
    mapping: "market-csgo",
    path: "/api/v2/prices/class_instance/USD.json",
    headers: {},
    asked: /^get \/api\/v2\/prices\/class_instance\/usd.json http/,
    // Rows of one name differ by class and instance. A row without an offer or an order has null.
    body: (currency) => {
      const rows = [
        ["1_10", "Item 0", "12.501", 11.809],
        ["1_11", "Item 0", "12.60", "11.90"],
        ["2_10", "Item 1", null, "0.05"],
        ["3_10", "Item 2", "0.031", null],
      ] as const;
      const items = rows.map(([key, market_hash_name, price, buy_order]) => {
        return [
          key,
          { price, buy_order, avg_price: "9.99", popularity_7d: "47", market_hash_name, ru_name: "Предмет" },
        ];
      });
      return { success: true, time: 1_568_073_728, currency, items: Object.fromEntries(items) };
    },
    asks: { 1: 1251, 2: null, 3: 4 },
    bids: { 1: 1190, 2: 5 },
  },
  {
    mapping: "whitemarket",
    path: "/export/v1/prices/730.json",
    headers: {},
    asked: /^get \/export\/v1\/prices\/730.json http/,
    body: () =>
      ["0.020", "151.9"].map((price, index) => ({
        market_hash_name: `Item ${index}`,
        price,
        market_product_link: `https://white.market.example/item/${index}`,
        market_product_count: 3,
      })),
    asks: { 1: 2, 2: 15_190 },
  },
];

describe("mapped sources of a mirror", () => {
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  const config = (feed: object) => {
    const path = join(world.file.folder, "mirror.json");
    writeFileSync(path, JSON.stringify({ feeds: [{ adapter: "mapped", interval_seconds: 1, ...feed }] }, null, 1));
    return readMirrorConfig(path, environment);
  };
  const at = (path: string) => `http://127.0.0.1:${world.server.port}${path}`;

  for (const { mapping, path, headers, asked, body, asks, bids = {} } of replays) {
    it(`publish the prices of the ready mapping ${mapping} from a documented response`, async () => {
      const replay: Behaviour = (socket, head, server) => {
        const compressed = brotliCompressSync(JSON.stringify(body("USD")));
        const reply = asked.test(head) ? answer(200, compressed, { "Content-Encoding": "br" }) : answer(401);
        reply(socket, head, server);
      };
      world.server.behave = replay;
      world.restart(...config({ feed: mapping, mapping, source: at(path), headers }));
      await world.mirror.turn();
      expect(world.take().map(({ event }) => event)).to.include.members(["generationPublished", "frameRecorded"]);
      expect(world.published().asks).to.deep.equal(asks);
      expect(world.bids()).to.deep.equal(bids);
    });
  }

  it("are rejected and named in another currency, and published data stays", async () => {
    world.server.behave = answer(200, JSON.stringify(replays[0]!.body("EUR")));
    world.restart(...config({ feed: "skinport", mapping: "skinport", source: at("/v1/items") }));
    await world.mirror.turn();
    const [failed] = world.take();
    expect(failed!.facts.reason).to.match(/`\$\[0\]\.currency` is "EUR": only USD is accepted/);
    expect(world.published().generation).to.equal(null);
  });

  it("are rejected if the response is a page of a longer list", async () => {
    const whole = replays[1]!.body("USD") as { data: { total: number } };
    const page = { ...whole, data: { ...whole.data, total: 1847 } };
    world.server.behave = answer(200, JSON.stringify(page));
    world.restart(...config({ feed: "skinslink", mapping: "skinslink", source: at("/") }));
    await world.mirror.turn();
    expect(world.take()[0]!.facts.reason).to.match(/`\$\.data\.total` is 1847 and `\$\.data\.items` holds 4 entries/);
  });

  const wrong: [what: string, feed: object, description: RegExp][] = [
    ["no mapping", { feed: "skinport", source: "x" }, /line 4: the adapter mapped needs a `mapping`/],
    ["an unknown mapping", { feed: "skinport", source: "x", mapping: "x.json" }, /x\.json: /],
    ["another feed's name", { feed: "hall", source: "x", mapping: "skinport" }, /the mapping reads the feed skinport/],
    [
      "a mapping for another adapter",
      { feed: "hall", adapter: "canonical", source: "x", mapping: "y" },
      /has no mapping/,
    ],
    [
      "another currency in its address",
      {
        feed: "skinport",
        source: "https://api.example/v1/items?currency=EUR",
        interval_seconds: 300,
        mapping: "skinport",
      },
      /its parameter currency is EUR, and the mapping asks for USD/,
    ],
  ];
  for (const [what, feed, description] of wrong) {
    it(`stop the start of a mirror with ${what}`, () => {
      expect(() => config(feed)).to.throw(OperatorError, description);
    });
  }
});
