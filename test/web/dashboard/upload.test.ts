import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { getTableColumns } from "drizzle-orm";
import { portfolioTransactions } from "../../../db/schema/portfolios.ts";
import { PortfolioRows } from "../../support/portfolios.ts";
import { itLong } from "../../support/size.ts";
import { OwnerWorld, type Page, type Visitor } from "./owner-world.ts";
import { inventoryOf, takeDemoPortfolios } from "./person.ts";

const knife = "★ Bayonet | Doppler (Factory New)";

/** Values of the hidden fields of a page's form. */
function hidden({ text }: Page): Record<string, string[]> {
  const fields = [...text.matchAll(/type="hidden" name="(name|how|account|state|packed)" value="([^"]*)"/g)];
  const byName = Map.groupBy(fields, ([, name]) => name!);
  return Object.fromEntries(
    [...byName].map(([name, all]) => [name, all.map(([, , value]) => value!.replaceAll("&#34;", '"'))]),
  );
}

describe("file upload for a portfolio", () => {
  let ann: OwnerWorld;
  let visitor: Visitor;
  let portfolioId: string;
  let phases: Map<string, number>;
  const path = (end = "/import") => `/dashboard/portfolios/${portfolioId}${end}`;
  const lots = () =>
    ann.world
      .sql(
        "SELECT integration_ref AS ref, item_id, quantity, unit_cost_cents AS cost FROM holdings WHERE portfolio_id = ? ORDER BY 1",
        portfolioId,
      )
      .map(({ ref, item_id, quantity, cost }) => [ref, item_id, quantity, cost]);
  const make = async (name: string) => {
    await visitor.get("/dashboard/portfolios/new");
    const { location } = await visitor.post("/dashboard/portfolios/new", { name, currency: "eur" });
    return /portfolios\/(pf_\w+)\?notice=made/.exec(location ?? "")?.[1] ?? "";
  };
  const preview = async (
    content: string | Buffer | readonly (string | Buffer)[],
    fields: Record<string, string> = {},
    name = "file",
  ) => {
    await visitor.get(path());
    const files = (Array.isArray(content) ? content : [content]).map((one) => ({ name, content: one }));
    return visitor.postFile(path(), files, { how: "add", ...fields });
  };
  const confirm = (shown: Page, choice: string[] = [], more: Record<string, string> = {}) =>
    visitor.post(path("/import/confirm"), { ...hidden(shown), choice, ...more });

  before(async () => {
    ann = await OwnerWorld.start();
    takeDemoPortfolios(ann);
    visitor = await ann.signedIn();
    const rows = ann.world.sql("SELECT phase, item_id FROM items WHERE market_hash_name = ?", knife);
    phases = new Map(rows.map(({ phase, item_id }) => [String(phase), Number(item_id)]));
  });
  after(() => ann.world.stop());
  beforeEach(async () => {
    portfolioId = await make("Mine");
  });

  it("adds one suggested item by form, and its import can be undone", async () => {
    const names = JSON.parse((await visitor.get("/dashboard/item-names?text=red+ak")).text) as string[];
    expect(names).to.have.length.within(1, 10);
    for (const name of names) expect(name.toLowerCase()).to.match(/\bak/).and.match(/\bred/);
    for (const text of ["калаш redl", "ak redlnie"]) {
      const [first] = JSON.parse(
        (await visitor.get(`/dashboard/item-names?text=${encodeURIComponent(text)}`)).text,
      ) as string[];
      expect(first, text).to.contain("AK-47 | Redline");
    }
    const lots = () =>
      ann.world.sql("SELECT quantity, unit_cost_cents, source FROM holdings WHERE portfolio_id = ?", portfolioId);
    const before = lots();
    const item = { item: names[0]!, quantity: "2", cost: "$1,2.50", on: "2026-01-10" };
    await visitor.get(path("/import"));
    const refused = await visitor.post(path("/items"), { ...item, item: "Nothing", quantity: "0" });
    expect([refused.status, refused.text.includes("Enter a whole number from 1")]).to.deep.equal([400, true]);
    expect((await visitor.post(path("/items"), { ...item, item: "Nothing" })).text).to.contain("Not in the catalog.");
    const odd = await visitor.post(path("/items"), { ...item, cost: "900000" });
    expect(odd.text).to.contain("Unusual costs").and.contain("costs $900,000.00 each");
    expect(lots()).to.deep.equal(before);
    const added = await visitor.post(path("/items"), item);
    expect(added.location).to.equal(path("?imported=1-0-0-0-0"));
    expect(lots()).to.deep.include({ quantity: 2, unit_cost_cents: 1250, source: "form" });
    expect((await visitor.get(path(""))).text).to.contain("Undo last import");
    expect((await visitor.post(path("/undo"))).location).to.equal(path("?undone=1-0-0-0"));
    expect(lots()).to.deep.equal(before);
    expect((await visitor.post(path("/undo"))).status).to.equal(409);
    expect((await visitor.get(path(""))).text).to.not.contain("Undo last import");
  });

  it("follows a portfolio created and renamed by its owner, with activity", async () => {
    await visitor.get(path("/rename"));
    const renamed = await visitor.post(path("/rename"), { name: "Knives", currency: "GBP" });
    expect([renamed.status, renamed.location]).to.deep.equal([303, path("?notice=renamed")]);
    const [row] = ann.world.sql(
      "SELECT name, display_currency, price_source FROM portfolios WHERE portfolio_id = ?",
      portfolioId,
    );
    expect(row).to.deep.equal({ name: "Knives", display_currency: "GBP", price_source: "lowest-ask" });
    const { text } = await visitor.get("/dashboard/activity");
    const told = (title: string) =>
      `<strong>${title}</strong><br><span class="muted"><code>${portfolioId}</code></span>`;
    expect(text).to.contain(told("Portfolio made")).and.contain(told("Portfolio renamed"));
    await visitor.get(path("/rename"));
    for (const wrong of [
      { name: " ", currency: "GBP" },
      { name: "x", currency: "ZZZ" },
      { name: "x", currency: "" },
    ])
      expect((await visitor.post(path("/rename"), wrong)).status).to.equal(400);
  });

  it("shows the changes before it writes exactly these", async () => {
    const shown = await preview("name,quantity,price\nChroma 2 Case,3,0.25\nSpectrum 2 Case,1,\n");
    expect(shown.status).to.equal(200);
    expect(shown.text).to.contain("2 lots would be added.").and.contain("Chroma 2 Case").and.contain("$0.25");
    expect(lots()).to.deep.equal([]);
    const done = await confirm(shown);
    expect([done.status, done.location]).to.deep.equal([303, path("?imported=2-0-0-0-0")]);
    expect(
      lots()
        .map(([, , quantity, cost]) => [quantity, cost])
        .sort(),
    ).to.deep.equal([
      [1, null],
      [3, 25],
    ]);
    expect((await visitor.get(path("?imported=2-0-0-0-0"))).text).to.contain("2 lots were added.");
    const again = await confirm(shown);
    expect(again.location).to.equal(path("?imported=0-0-0-0-0"));
    expect(lots()).to.have.length(2);
  });

  it("shows unresolved names, and lets the owner select each phase", async () => {
    const shown = await preview(
      gzipSync(inventoryOf([knife, "Chroma 2 Case", "A Medal of Nobody", knife])),
      {},
      "inv.json.gz",
    );
    expect(shown.text).to.contain("1 lot would be added.").and.contain("<li>A Medal of Nobody</li>");
    const options = [...shown.text.matchAll(/<option value="(\d+) steam:9001">/g)].map(([, id]) => Number(id));
    expect(options.sort()).to.deep.equal([...phases.values()].sort());
    const done = await confirm(shown, ["", `${phases.get("Ruby")} steam:9004`]);
    expect(done.location).to.equal(path("?imported=2-0-0-0-2"));
    expect(lots().map(([ref, item]) => [ref, item])).to.deep.equal([
      [
        "steam:9002",
        Number(ann.world.sql("SELECT item_id FROM items WHERE market_hash_name = 'Chroma 2 Case'")[0]!.item_id),
      ],
      ["steam:9004", phases.get("Ruby")],
    ]);
  });

  it("replaces lots on request, but not by an incomplete inventory", async () => {
    await confirm(await preview(inventoryOf(["Chroma 2 Case", "Spectrum 2 Case"])));
    const fewer = inventoryOf(["Chroma 2 Case"]);
    const shown = await preview(fewer, { how: "replace" });
    expect(shown.text).to.contain("1 lot would be removed.").and.not.contain("Would be added");
    expect(/id="removed">.*?<\/table>/s.exec(shown.text)?.[0])
      .to.contain("Spectrum 2 Case")
      .and.not.contain("Chroma");
    const cutOff = inventoryOf(["Chroma 2 Case"], { more_items: 1, total_inventory_count: 900 });
    expect((await preview(cutOff)).text).to.contain("incomplete: it has 1 of the inventory&#39;s 900 items");
    expect((await preview(cutOff, { how: "replace" })).status).to.equal(400);
    expect((await confirm(shown)).location).to.equal(path("?imported=0-0-1-0-0"));
    expect(lots()).to.have.length(1);
  });

  it("replaces contexts sent together, and removes most lots only on request", async () => {
    const protectedOnes = inventoryOf(["Spectrum 2 Case"])
      .replaceAll('"assetid"', '"contextid":"16","assetid"')
      .replaceAll("9001", "8001");
    const both = await preview([inventoryOf(["Chroma 2 Case", "Chroma 2 Case"]), protectedOnes], { account: "Main" });
    expect((await confirm(both)).location).to.equal(path("?imported=3-0-0-0-0"));
    const other = inventoryOf(["Spectrum 2 Case"]).replaceAll("9001", "7001");
    expect((await preview(other, { how: "replace" })).text, "of another account").to.not.contain("would be removed");
    const shown = await preview(other, { how: "replace", account: "Main" });
    expect(shown.text).to.contain("2 lots would be removed.").and.contain("It would remove 2 of 2 lots of context 2.");
    expect((await confirm(shown)).status).to.equal(400);
    expect(lots()).to.have.length(3);
    expect((await confirm(shown, [], { remove_most: "yes" })).location).to.equal(path("?imported=1-0-2-0-0"));
    const control = await preview(other, { account: "\u0007" });
    expect(control.text).to.contain("the Steam account&#39;s name must have");
    const many = Array.from({ length: 21 }, () => other);
    expect((await preview(many)).text).to.contain("Send at most 20 files at once.");
  });

  it("rejects a file and lists each fault by line, as text", async () => {
    const shown = await preview("name,quantity,price\nChroma 2 Case,-1,0.25\n<b>x</b>,1,5 dollars\n", {}, "<i>x.csv");
    expect(shown.status).to.equal(400);
    expect(shown.text).to.contain("line 2, column quantity: -1 is not between 1 and 1000000000");
    expect(shown.text).to.contain("line 3, column unit_cost_usd:").and.not.contain("<b>x").and.not.contain("<i>");
    for (const content of [
      "",
      "null",
      "{}",
      "[]",
      "\u0000\u0001",
      Buffer.from([0x1f, 0x8b, 8, 0]),
      gzipSync(Buffer.alloc(9 << 20)),
    ])
      expect((await preview(content)).status, JSON.stringify(content.slice(0, 9))).to.equal(400);
    expect(lots()).to.deep.equal([]);
  });

  it("validates the second form's content like the file", async () => {
    const shown = await preview(inventoryOf([knife]));
    const other = Number(
      ann.world.sql("SELECT item_id FROM items WHERE market_hash_name = 'Chroma 2 Case'")[0]!.item_id,
    );
    expect((await confirm(shown, [`${other} steam:9001`])).location).to.equal(path("?imported=0-0-0-0-1"));
    const packed = (content: Buffer | string) => Buffer.from(content).toString("base64url");
    for (const wrong of [
      "",
      packed("name,quantity\nNowhere"),
      packed(Buffer.from([0x1f, 0x8b, 0])),
      packed(gzipSync(Buffer.alloc(9 << 20))),
    ])
      expect((await visitor.post(path("/import/confirm"), { name: "x", how: "add", packed: wrong })).status).to.equal(
        400,
      );
    expect(lots()).to.deep.equal([]);
  });

  it("treats another account's portfolio as missing in every form", async () => {
    const bob = await ann.another("bob");
    const stranger = await bob.signedIn();
    await stranger.get("/dashboard/portfolios/new");
    const known = /<code>req_[^<]+<\/code>|name="csrf" value="[^"]+"|pf_\w+/g;
    for (const end of ["", "/rename", "/import"]) {
      const [theirs, nobodys] = await Promise.all(
        [portfolioId, "pf_000000000000000000000000"].map((id) => stranger.get(`/dashboard/portfolios/${id}${end}`)),
      );
      expect([theirs!.status, theirs!.text.replaceAll(known, "")]).to.deep.equal([
        404,
        nobodys!.text.replaceAll(known, ""),
      ]);
    }
    const file = { name: "x.csv", content: "name,quantity\nChroma 2 Case,1\n" };
    const packed = Buffer.from(file.content).toString("base64url");
    expect((await stranger.postFile(path(), file, { how: "add" })).status).to.equal(404);
    expect((await stranger.post(path("/import/confirm"), { name: "x", how: "add", packed })).status).to.equal(404);
    expect((await stranger.post(path("/rename"), { name: "Stolen", currency: "USD" })).status).to.equal(404);
    expect(lots()).to.deep.equal([]);
    expect((await visitor.get(path(""))).text).to.contain("<h1>Mine</h1>");
  });

  it("rejects forms without a token, of other origins or without sign-in", async () => {
    const file = { name: "x.csv", content: "name,quantity\nChroma 2 Case,1\n" };
    await visitor.get(path());
    expect((await visitor.postFile(path(), file, { csrf: "" })).status).to.equal(403);
    expect((await visitor.postFile(path(), file, {}, { origin: "https://evil.example" })).status).to.equal(403);
    expect((await visitor.postFile(path(), file, {}, { "sec-fetch-site": "cross-site" })).status).to.equal(403);
    expect((await ann.visitor().postFile(path(), file)).status).to.equal(303);
    const fields = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, ""]));
    expect((await visitor.postFile(path(), file, fields)).status).to.equal(400);
    expect((await visitor.post(path("/import/confirm"), fields)).status).to.equal(400);
    for (const type of ['x="; boundary=no"; boundary=----a-part-of-the-form', 'boundary="----a\\-part-of-the-form"']) {
      const headers = { "content-type": `multipart/form-data; ${type}` };
      expect((await visitor.postFile(path(), file, fields, headers)).status, type).to.equal(400);
    }
    const quoted = { "content-type": 'multipart/form-data; boundary="----a-part-of-the-form"' };
    expect((await visitor.postFile(path(), file, { how: "add" }, quoted)).status).to.equal(200);
    const broken = { "content-type": "multipart/form-data; boundary=other" };
    expect((await visitor.postFile(path(), file, {}, broken)).status).to.equal(400);
    expect((await visitor.postFile(path(), file, {}, { "content-type": "text/csv" })).status).to.equal(415);
    expect((await visitor.postFile(path(), { name: "x", content: Buffer.alloc((9 << 20) + 1) })).status).to.equal(413);
    const shown = await preview(file.content);
    expect((await visitor.post(path("/import/confirm"), hidden(shown), { csrf: "x" })).status).to.equal(403);
    expect(lots()).to.deep.equal([]);
  });

  it("removes nothing unseen if the portfolio changed after its preview", async () => {
    const shown = await preview("name,quantity\nChroma 2 Case,1\n", { how: "replace" });
    await confirm(await preview("name,quantity\nChroma 2 Case,5\n"));
    const held = lots();
    expect(held).to.have.length(1);
    const late = await confirm(shown);
    expect(late.status).to.equal(400);
    expect(late.text).to.contain("the portfolio has changed since this was shown");
    expect(lots()).to.deep.equal(held);
    const again = await preview("name,quantity\nChroma 2 Case,1\n", { how: "replace" });
    expect((await confirm(again, [], { remove_most: "yes" })).status).to.equal(303);
  });

  it("imports nothing after a sign-out or disabling between both forms", async () => {
    const shown = await preview("name,quantity\nChroma 2 Case,1\n");
    ann.world.accounts((accounts) => accounts.disable(ann.account.accountId));
    expect((await confirm(shown)).status).to.equal(403);
    ann.world.accounts((accounts) => accounts.enable(ann.account.accountId));
    await visitor.post("/dashboard/sign-out");
    expect((await confirm(shown)).status).to.equal(303);
    expect(lots()).to.deep.equal([]);
    visitor = await ann.signedIn();
  });

  it("rejects additions beyond an account's 40,000 lots and ledger rows", async () => {
    const dora = await ann.another("dora");
    const other = await dora.signedIn();
    const id = ann.world.change((database) => {
      const rows = new PortfolioRows(database);
      const full = rows.portfolio("full", dora.account.accountId);
      const first = rows.transaction(full, "1", 20_000);
      const columns = Object.values(getTableColumns(portfolioTransactions)).map(({ name }) => name);
      const own: Record<string, string> = { transaction_id: "printf('tx_%024d', n)", integration_ref: "'row ' || n" };
      const values = columns.map((name) => own[name] ?? name);
      const add = `INSERT INTO portfolio_transactions SELECT ${values.join(", ")} FROM portfolio_transactions, numbers WHERE transaction_id = ?`;
      const numbers = "WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40000)";
      database.$client.prepare(`${numbers} ${add}`).run(first);
      return rows.portfolio("empty", dora.account.accountId);
    });
    const address = `/dashboard/portfolios/${id}/import`;
    const file = { name: "x.csv", content: "name,quantity\nChroma 2 Case,1\n" };
    await other.get(address);
    const { status, text } = await other.postFile(address, file, { how: "add" });
    expect(status).to.equal(400);
    expect(text).to.contain("have 40000 lots and ledger rows already");
    ann.world.sql("DELETE FROM portfolio_transactions WHERE integration_ref = 'row 2'");
    expect((await other.postFile(address, file, { how: "add" })).status).to.equal(200);
  });

  itLong("limits an account to 50 portfolios", async () => {
    const bob = await ann.another("carl");
    const other = await bob.signedIn();
    await other.get("/dashboard/portfolios/new");
    const statuses = new Set<number>();
    for (let count = 0; count < 50; count += 1)
      statuses.add((await other.post("/dashboard/portfolios/new", { name: `P${count}`, currency: "USD" })).status);
    expect([...statuses]).to.deep.equal([303]);
    const { status, text } = await other.post("/dashboard/portfolios/new", { name: "More", currency: "USD" });
    expect(status).to.equal(400);
    expect(text).to.contain("An account has at most 50 portfolios.");
  });
});
