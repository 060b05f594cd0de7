import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { clientOperations } from "../../generated/client-operations.ts";
import { main } from "../../src/cli/main.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { type Account, World } from "../support/world.ts";

const doppler = "★ Karambit | Doppler (Factory New)";

describe("itemtape get from the real service", () => {
  const folder = temporaryFolder();
  let world: World;
  let account: Account;
  before(async () => {
    world = await World.start();
    account = world.account("trader");
  });
  after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (words: readonly string[], key = account.secret) =>
    runHere(["get", ...words], { env: { ITEMTAPE_API_KEY: key, ITEMTAPE_URL: world.base } });
  const json = async (...words: string[]) => {
    const { code, lines, notes } = await run([...words, "--json"]);
    expect([code, notes], words.join(" ")).to.deep.equal([0, []]);
    return lines.map((line) => JSON.parse(line));
  };

  it("prints exactly data and meta of each response with --json", async () => {
    const same = async (operationId: string, words: string[], call: object) => {
      const { json: reported } = await world.client.call(operationId, { key: account.secret, ...call });
      const [printed] = await json(operationId, ...words);
      expect(Object.keys(printed)).to.deep.equal(["data", "meta"]);
      expect(JSON.stringify(printed.data)).to.equal(JSON.stringify(reported.data));
      expect({ ...printed.meta, request_id: "" }).to.deep.equal({ ...reported.meta, request_id: "" });
    };
    await same("listItems", ["q=★ karambit | d", "limit=2"], { query: { q: "★ karambit | d", limit: 2 } });
    await same("getItem", ["item_id=445"], { path: { item_id: 445 } });
    await same("getMarketPricesBatch", ["item_ids=661,2", "item_ids=[5]", "side=ask"], {
      body: { item_ids: [661, 2, 5], side: "ask" },
    });
    await same("getHourlyPriceHistory", ["item_id=2103", "limit=3", "known_at=2026-01-15T11:00:00Z"], {
      path: { item_id: 2103 },
      query: { limit: 3, known_at: "2026-01-15T11:00:00Z" },
    });
  });

  it("accepts an address ending in `/v1` and a lower-case currency", async () => {
    const key = world.account("builder").secret;
    const words = ["get", "listExchangeRates", "currency=eur", "--json", "--url", `${world.base}/v1/`];
    const ask = (isTerminal: boolean) => runHere(words, { env: { ITEMTAPE_API_KEY: key }, isTerminal });
    const [plain, terminal] = [await ask(false), await ask(true)];
    expect([plain.code, terminal.code], plain.notes.join()).to.deep.equal([0, 0]);
    const { data } = JSON.parse(plain.lines[0]!);
    expect(data).to.have.length(1);
    expect(data[0]).to.include({ currency: "EUR" });
    expect(terminal.lines.join("\n")).to.include('\n  "data": [\n');
    expect(JSON.parse(terminal.lines.join("\n")).data).to.deep.equal(data);
  });

  it("accepts names that contain commas: repeated, from a file, as JSON", async () => {
    const file = join(folder, "names.txt");
    writeFileSync(file, `${doppler}\r\nA, B\n\n`);
    const json2 = JSON.stringify([doppler, "A, B"]);
    writeFileSync(join(folder, "names.json"), `\uFEFF ${json2}\n`);
    for (const words of [
      [`names=${doppler}`, "names=A, B"],
      [`names=@${file}`],
      [`names=@${join(folder, "names.json")}`],
      [`names=${json2}`],
    ]) {
      const [{ data }] = await json("resolveItemNames", ...words);
      expect(data.map(({ name }: { name: string }) => name)).to.deep.equal([doppler, "A, B"]);
    }
  });

  it("follows either cursor to the end with --all", async () => {
    const rows = await json("listItems", "q=karambit | doppler", "limit=5", "--all");
    const [{ data }] = await json("listItems", "q=karambit | doppler", "limit=100");
    expect(rows).to.deep.equal(data);
    const providers = await json("listProviders", "limit=2", "--all");
    expect(providers.map(({ provider }) => provider)).to.deep.equal([
      "bazaar",
      "northgate",
      "oldhall",
      "steam",
      "swapyard",
    ]);
    const { lines } = await run(["listProviders", "limit=2", "--all"]);
    expect(lines.slice(1, 6).map((line) => line.split(" ")[0])).to.deep.equal(providers.map((row) => row.provider));
    expect(lines).to.include("5 rows of 3 requests");
    expect(lines.at(-1)).to.match(/^left: \d+ of 180 requests this minute, \d+ units this month$/);
  });

  it("requests no further page with --all once the reader has gone", async () => {
    const used = world.used(account.accountId);
    const out = { line: () => undefined, note: () => undefined, isTerminal: false, isDisconnected: () => true };
    const env = { ITEMTAPE_API_KEY: account.secret, ITEMTAPE_URL: world.base };
    expect(await main(["get", "listItems", "limit=5", "--all", "--json"], env, out)).to.equal(0);
    expect(world.used(account.accountId)).to.equal(used + 1);
  });

  it("shows dollars, `-` for unknown, gaps in words and the next page", async () => {
    const prices = await run(["getMarketPrices", "item_id=661"]);
    expect(prices.lines.slice(0, 2)).to.deep.equal(["item_id           661", `market_hash_name  ${doppler}`]);
    expect(prices.lines).to.include("  northgate  $1237.39        12    -  2026-01-15T11:41:40.717Z");
    const plain = await run(["getMarketPrices", "item_id=4"]);
    expect(plain.lines.filter((line) => line.startsWith("  steam "))).to.deep.equal([
      "  steam      $987.20         -    -  -",
    ]);
    expect(plain.lines).to.include("times known for 1 of 2 providers; checked with the source within 15 minutes");
    const history = await run(["getDailyPriceHistory", "item_id=2103", "limit=1"]);
    expect(history.lines).to.include(
      "2025-12-16 to 2026-01-14, one point a day; gaps: 3 of 30 days absent: 2025-12-25, 2026-01-06/2026-01-07",
    );
    expect(history.lines.find((line) => line.startsWith("more rows follow: after="))).to.match(/, or --all$/);
    const page = await run(["listItems", "limit=1"]);
    expect(page.lines).to.include("more rows follow: cursor=1, or --all");
  });

  it("fits a table to a terminal, and cuts nothing elsewhere", async () => {
    const printed: string[] = [];
    const out = { line: (text: string) => void printed.push(text), note: (text: string) => void printed.push(text) };
    const env = { ITEMTAPE_API_KEY: account.secret, ITEMTAPE_URL: world.base };
    await main(["get", "listItems", "limit=3", "q=doppler"], env, { ...out, isTerminal: true, columns: 60 });
    expect(Math.max(...printed.slice(0, 4).map((line) => Array.from(line).length))).to.be.at.most(60);
    expect(printed.some((line) => line.startsWith("(no room for "))).to.equal(true);
    const { lines } = await run(["listItems", "limit=3", "q=doppler"]);
    expect(lines[0]!.trim().split(/\s+/)).to.include.members(["slug", "name_ru", "price_updated_at"]);
  });

  it("prints only the --fields, in their order, by name or title", async () => {
    const fields = ["--fields", "current.expected_value_cents,slug,current.cost"];
    const { lines } = await run(["listOpenables", "valuation_mode=cash_ask", ...fields]);
    expect(lines[0]).to.match(/^current\.expected_value {2}slug +current\.cost$/);
    expect(lines.find((line) => line.includes("kilowatt-case"))).to.match(/^ +\$1\.64 {2}kilowatt-case +\$3\.05$/);
    const one = await run(["getItem", "item_id=445", "--fields", "phase,item_id"]);
    expect(one.lines.slice(0, 2)).to.deep.equal(["phase    Ruby", "item_id  445"]);
    const wrong = await run(["getItem", "item_id=445", "--fields", "price"]);
    expect([wrong.code, wrong.lines]).to.deep.equal([64, []]);
    expect(wrong.notes[0]).to.match(/the answer has no `price`; it has item_id, market_hash_name, /);
  });

  it("refuses and names unknown operations and parameters before any request", async () => {
    const used = world.used(account.accountId);
    const cases: [words: string[], description: RegExp][] = [
      [["streamMarketSnapshot"], /is a stream; `npx itemtape export FILE --format FORMAT` reads it/],
      [["getItem", "itemid=1"], /getItem has no parameter `itemid`, perhaps `item_id`; it has item_id$/],
      [["getStatus", "x=1"], /getStatus has no parameter `x`; it has none$/],
      [["getItem", "item_id"], /item_id: must be a whole number, not `item_id`$/],
      [["listItems", "q"], /`q`: parameters are given as NAME=VALUE$/],
      [["getItem", "item_id=0"], /item_id: must be 1 to 2147483647, not 0$/],
      [["listItems", `q=${"x".repeat(121)}`], /q: must have 1 to 120 characters, not 121$/],
      [
        ["listItems", "wear=Factry New"],
        /wear: must be one of Factory New, .*, not `Factry New`, perhaps `Factory New`$/,
      ],
      [["getMarketPricesBatch", "item_ids=1,0"], /item_ids: must be 1 to 2147483647, not 0$/],
      [["resolveItemNames", "names=a", "names=a"], /names: contains an entry twice$/],
      [["getItem", "item_id=1", "item_id=2"], /item_id: is given twice$/],
      [["getItem", "item_id=1.0"], /item_id: must be a whole number, not `1.0`$/],
      [["getItem", "item_id=1", "--all"], /--all: getItem has no pages$/],
      [["getMarketPricesBatch", "item_ids=1,x"], /item_ids: must be a whole number, not `x`$/],
      [["resolveItemNames", "names=[1"], /names: begins like a JSON array but is invalid$/],
      [["getOpenable", "slug="], /the parameter `slug` must be a name, not ""$/],
      [["listItems", `q=${account.secret}`], /the parameter `q` contains an API key, which must never be in a URL$/],
      [["listItems", "--url", `${world.base}/${account.secret}`], /--url: contains a key, which must never be in an/],
      [["getStatus", "--url", `${world.base}/${account.secret}`], /--url: contains a key, which must never be in an/],
      [["listItems", "--url", `${world.base}/itemtape_pat_other1`], /--url: contains a key, which must never be in an/],
      [["listItems", "limit=1", "--all", "--fields", "typo"], /--fields: the answer has no `typo`; it has item_id, /],
      [["listItems", "q=nothing like it", "--fields", "typo"], /--fields: the answer has no `typo`; it has item_id, /],
      [["listItems", "--url", `${world.base}?key=x`], /without user, query or fragment$/],
    ];
    for (const [words, description] of cases) {
      const { code, lines, notes } = await run(words);
      expect([code, lines, notes.length], words.join(" ")).to.deep.equal([64, [], 1]);
      expect(notes[0]).to.match(description);
    }
    const foreign = await runHere(["get", "getStatus", "--url", "http://127.0.0.1:9999/foreignkey"], {
      env: { ITEMTAPE_API_KEY: "foreignkey" },
    });
    expect([foreign.code, `${foreign.notes}`.includes("foreignkey")]).to.deep.equal([64, false]);
    writeFileSync(join(folder, "latin1.txt"), Buffer.from([0x41, 0xe9, 0x0a]));
    const latin = await run(["resolveItemNames", `names=@${join(folder, "latin1.txt")}`]);
    expect([latin.code, latin.notes[0]]).to.deep.equal([
      65,
      `itemtape: ${join(folder, "latin1.txt")}: is not UTF-8; save it as UTF-8`,
    ]);
    for (const file of ["/no/file", folder])
      expect((await run(["resolveItemNames", `names=@${file}`])).code, file).to.equal(66);
    expect((await runHere(["get", "getItem", "item_id=1"])).notes).to.deep.equal([
      "itemtape: the environment variable ITEMTAPE_API_KEY must hold a key; it has no flag",
    ]);
    expect(world.used(account.accountId)).to.equal(used);
  });

  it("prints a refusal's code, cause and page, and exits by its class", async () => {
    const free = world.account("free");
    const poor = world.account("free");
    const late = world.account("free");
    world.sql("UPDATE api_keys SET expires_at = created_at + 1 WHERE account_id = ?", late.accountId);
    world.clock.advance(1);
    await run(["listProviders"], poor.secret);
    world.sql("UPDATE usage_months SET used = 1000 WHERE account_id = ?", poor.accountId);
    const cases: [words: string[], key: string, code: number, description: RegExp][] = [
      [
        ["getItem", "item_id=999999"],
        account.secret,
        66,
        /HTTP 404 `item_not_found`: .*item 999999 does not exist; the request cost a unit; see /,
      ],
      [["getMarketPrices", "item_id=1"], free.secret, 77, /HTTP 403 `plan_upgrade_required`: this operation needs/],
      [
        ["getItem", "item_id=1"],
        "itemtape_live_wrong",
        77,
        /HTTP 401 `invalid_api_key`: .*ITEMTAPE_API_KEY holds the key; see /,
      ],
      [
        ["getItem", "item_id=1"],
        late.secret,
        77,
        /`expired_api_key`: .*`npx itemtape keys create owner --days 90` makes/,
      ],
      [["getItem", "item_id=1"], poor.secret, 69, /HTTP 429 `monthly_quota_exceeded`: .*try again next month; see /],
    ];
    for (const [words, key, code, description] of cases) {
      const ran = await run([...words, "--json"], key);
      expect([ran.code, ran.lines, ran.notes.length], `${ran.notes}`).to.deep.equal([code, [], 1]);
      expect(ran.notes[0])
        .to.match(description)
        .and.match(/\(req_[0-9a-z]{26}\)$/);
      const page = /see (http\S+)/.exec(ran.notes[0]!)![1]!;
      expect((await fetch(page)).status, page).to.equal(200);
    }
  });

  it("fits the list of operations to a terminal and names the rest", async () => {
    const printed: string[] = [];
    const line = (text: string) => void printed.push(...text.split("\n"));
    for (const columns of [80, 40]) {
      printed.length = 0;
      await main(["get"], {}, { line, note: line, isTerminal: true, columns });
      expect(Math.max(...printed.map((one) => Array.from(one).length))).to.be.at.most(columns);
      const names = printed.slice(1).map((one) => one.split(" ")[0]!);
      expect(names).to.include.members(Object.keys(clientOperations));
      if (columns === 80) expect(printed[0]!.split(/ +/)).to.deep.equal(["operation", "terms", "summary"]);
      else expect(printed.join(" ")).to.match(/\(no room for .*; --json has all\)$/);
    }
  });

  it("sends the key only when an operation needs it", async () => {
    const { code, lines } = await runHere(["get", "getStatus"], { env: { ITEMTAPE_URL: world.base } });
    expect([code, lines[0]]).to.deep.equal([0, "database           ok"]);
  });

  it("lists every operation with its terms, and each parameter's bounds", async () => {
    const list = await runHere(["get", "--json"]);
    expect(list.lines.map((line) => JSON.parse(line).operation)).to.deep.equal(Object.keys(clientOperations));
    const table = await runHere(["get"]);
    expect(table.lines.find((line) => line.startsWith("getOpenable "))).to.match(/^getOpenable +paid, 1 unit /);
    const after = await runHere(["get", "--url", "http://127.0.0.1:9", "getItem", "--help"]);
    expect(after.lines.find((line) => line.startsWith("getItem (GET "))).to.be.a("string");
    const hourly = await runHere(["get", "getHourlyPriceHistory", "--help"]);
    expect(hourly.lines).to.include("  item_id   required, integer, 1 to 2147483647");
    expect(hourly.lines).to.include("  side      string, one of ask, bid, default ask");
    expect(hourly.lines).to.include("  limit     integer, 1 to 1000, default 500");
    for (const [operationId, { isStream }] of Object.entries(clientOperations)) {
      const { code } = await runHere(["get", operationId, "--help"]);
      expect(code, operationId).to.equal(isStream ? 64 : 0);
    }
  });
});
