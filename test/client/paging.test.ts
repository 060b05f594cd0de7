import { expect } from "chai";
import { TransportError } from "../../src/client/index.ts";
import {
  allOf,
  problem,
  type Reply,
  requestId,
  send,
  TimedClient,
  thrownBy,
  useScriptedServer,
} from "./scripted-server.ts";

describe("client paging", () => {
  const server = useScriptedServer();

  const page = (rows: readonly object[], meta: object): Reply =>
    send(200, { data: rows, meta: { request_id: requestId, ...meta } });
  const items = (ids: readonly number[], cursor: unknown) =>
    page(
      ids.map((item_id) => ({ item_id })),
      { next_cursor: cursor },
    );
  const openables = (slugs: readonly string[], after: unknown) =>
    page(
      slugs.map((slug) => ({ slug })),
      { next_page: after },
    );
  const api = () => new TimedClient(server.base).api;
  const lines = () => server.requests.map(({ line }) => line);

  it("sends `meta.next_cursor` as `cursor`, with all else unchanged", async () => {
    server.play(items([1, 2], 2), items([], 9), items([10], null));
    const rows = await allOf(api().rows("listItems", { q: "a b", limit: 2 }));
    expect(rows.map(({ item_id }) => item_id)).to.deep.equal([1, 2, 10]);
    expect(lines()).to.deep.equal([
      "GET /v1/items?q=a%20b&limit=2",
      "GET /v1/items?q=a%20b&limit=2&cursor=2",
      "GET /v1/items?q=a%20b&limit=2&cursor=9",
    ]);
  });

  it("sends `meta.next_page` as `after`, with all else unchanged", async () => {
    server.play(openables(["a"], "p+1/="), openables(["b"], "p2"), openables(["c"], null));
    const rows = await allOf(api().rows("listOpenables", { valuation_mode: "cash_ask" }));
    expect(rows.map(({ slug }) => slug)).to.deep.equal(["a", "b", "c"]);
    expect(lines()).to.deep.equal([
      "GET /v1/openables?valuation_mode=cash_ask",
      "GET /v1/openables?valuation_mode=cash_ask&after=p%2B1%2F%3D",
      "GET /v1/openables?valuation_mode=cash_ask&after=p2",
    ]);
  });

  it("returns pages with meta and quota, each requested when it is read", async () => {
    server.play(openables(["a"], "p1"), openables(["b"], null));
    for await (const { data, meta, status } of api().pages("listOpenables", {})) {
      expect([status, data[0]?.slug, meta.next_page]).to.deep.equal([200, "a", "p1"]);
      break;
    }
    expect(server.requests).to.have.length(1);
  });

  it("retries a page refused for a while", async () => {
    const client = new TimedClient(server.base);
    server.play(items([1], 1), problem(429, "rate_limited", { "retry-after": "3" }), items([2], null));
    expect(await allOf(client.api.rows("listItems", {}))).to.have.length(2);
    expect([client.waits, lines().at(-1)]).to.deep.equal([[3000], "GET /v1/items?cursor=1"]);
  });

  it("ends the list with a permanent refusal", async () => {
    server.play(openables(["a"], "p1"), problem(400, "cursor_mismatch"));
    expect(await thrownBy(allOf(api().rows("listOpenables", {})))).to.include({ code: "cursor_mismatch", status: 400 });
  });

  const broken: [description: string, replies: Reply[], message: RegExp, cursor?: number][] = [
    ["a cursor that repeats", [items([1], 1), items([2], 1)], /`meta.next_cursor` does not advance$/],
    ["a cursor that goes backwards", [items([5], 5), items([6], 4)], /does not advance$/],
    ["a cursor that is the one given", [items([5], 7)], /does not advance$/, 7],
    ["a cursor of text", [items([1], "1")], /neither an item id nor null$/],
    ["a cursor out of bounds", [items([1], 2 ** 31)], /neither an item id nor null$/],
    ["no cursor at all", [items([1], undefined)], /neither an item id nor null$/],
  ];
  for (const [description, replies, message, cursor] of broken) {
    it(`throws for ${description} and does not return the page`, async () => {
      server.play(...replies);
      const seen: number[] = [];
      const reading = async () => {
        for await (const { item_id } of api().rows("listItems", { cursor })) seen.push(item_id);
      };
      const error = await thrownBy(reading());
      expect(error).to.be.instanceOf(TransportError).with.property("reason", "paging");
      expect(error.message).to.match(message);
      expect(seen).to.have.length(replies.length - 1);
    });
  }

  for (const [description, after] of [
    ["repeats", ["p1", "p2", "p1"]],
    ["is empty", [""]],
    ["is a number", [7]],
    ["is longer than any", ["x".repeat(513)]],
    ["is absent", [undefined]],
  ] as const) {
    it(`throws for a \`next_page\` that ${description}`, async () => {
      server.play(...after.map((one) => openables(["a"], one)));
      expect(await thrownBy(allOf(api().rows("listOpenables", {})))).to.have.property("reason", "paging");
      expect(server.requests).to.have.length(after.length);
    });
  }

  it("rejects a response without a list as broken", async () => {
    for (const data of [{}, { 0: { item_id: 1 } }]) {
      server.play(send(200, { data, meta: { request_id: requestId, next_cursor: null } }));
      const error = await thrownBy(allOf(api().rows("listItems")));
      expect(error).to.be.instanceOf(TransportError).and.include({ reason: "broken", requestId, attempts: 1 });
      expect(error.message).to.match(/not an answer of listItems: `data` must be an array$/);
    }
  });

  it("requests a list without parameters by name, as pages or rows", async () => {
    server.play(items([1], null), items([1, 2], null));
    expect(await allOf(api().pages("listItems"))).to.have.length(1);
    expect(await allOf(api().rows("listItems"))).to.have.length(2);
    expect(lines()).to.deep.equal(["GET /v1/items", "GET /v1/items"]);
  });

  it("throws a TypeError for an operation without pages", async () => {
    const rows = api().rows("getItem" as "listItems", { item_id: 1 } as never);
    expect(await thrownBy(allOf(rows))).to.be.instanceOf(TypeError);
  });
});
