import { expect } from "chai";
import { publishOffers } from "../support/publish.ts";
import { useWorld } from "../support/world.ts";

describe("the start page", () => {
  const world = useWorld();
  const shown = async () => (await fetch(world.base)).text();
  /** Numbers under their names, as they are read. */
  const countsOf = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/<dt>([^<]+)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name = "", value = ""]) => [
        name,
        value.replace(/<[^>]+>/g, ""),
      ]),
    );
  const quotesBySql = () => {
    const [row] = world.sql(`
      SELECT sum(json_array_length('{' || quotes || '}', '$.asks') + json_array_length('{' || quotes || '}', '$.bids')) AS quotes
      FROM generation_quotes, market_state WHERE quote_key >> 31 = current_generation_id`);
    return Number(row?.quotes);
  };

  it("says how many items, markets and quotes the file holds and how long ago the newest check was", async () => {
    const [row] = world.sql(`SELECT (SELECT count(*) FROM items WHERE in_catalog) AS items,
      (SELECT count(*) FROM providers WHERE active) AS markets, (SELECT max(checked_at) FROM feeds) AS checked`);
    const minutes = Math.floor((world.clock.at - Number(row?.checked)) / 60_000);
    expect(quotesBySql()).to.be.greaterThan(5_000);
    expect(countsOf(await shown())).to.deep.equal({
      Items: Number(row?.items).toLocaleString("en-US"),
      Markets: String(row?.markets),
      Quotes: quotesBySql().toLocaleString("en-US"),
      "Newest check": `${minutes} min ago`,
    });
  });

  it("shows the request and the answer of the contract, which is what the demo world answers, and no other price", async () => {
    const text = (await shown()).replace(/<\/?[bis]>/g, "");
    const unescaped = text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const path = /GET (\/v1\/\S+) HTTP/.exec(unescaped)?.[1] ?? "";
    const answer = JSON.parse(/<pre class="got"[^>]*><code>([\s\S]*?)<\/code>/.exec(unescaped)?.[1] ?? "null");
    const headers = { authorization: `Bearer ${world.keys.builder}` };
    const { data } = (await (await fetch(world.base + path, { headers })).json()) as { data: object };
    expect(answer.data).to.deep.equal(data);
    expect(unescaped.replace(/<pre class="got"[\s\S]*?<\/pre>/, "")).to.not.match(/\$\d/);
  });

  it("counts the quotes of a new generation within seconds, and the age of the check grows with the clock", async () => {
    await shown();
    const before = quotesBySql();
    publishOffers(world, new Map([[4, 12_345]]));
    world.clock.advance(2_000);
    expect(countsOf(await shown())).to.include({
      Quotes: (before + 1).toLocaleString("en-US"),
      "Newest check": "0 min ago",
    });
    world.clock.advance(3 * 3_600_000);
    expect(countsOf(await shown())).to.include({ "Newest check": "3 h ago" });
  });
});
