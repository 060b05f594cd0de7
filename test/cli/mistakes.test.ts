import { tmpdir } from "node:os";
import { expect } from "chai";
import { runHere } from "../support/cli.ts";
import { World } from "../support/world.ts";

/** A newcomer's input, the exit code, and the expected message. */
type Mistake = readonly [typed: readonly string[], code: number, says: RegExp, key?: "none" | "wrong" | "free"];

const mistakes: readonly Mistake[] = [
  [["get", "getmarketprices", "95"], 64, /no operation `getmarketprices`; perhaps `getMarketPrices`/],
  [["get", "getItems"], 64, /perhaps `getItem`; `npx itemtape get` lists all/],
  [
    ["get", "prices", "95"],
    64,
    /no operation `prices`; perhaps `getMarketPrices`, `getMarketPricesBatch`, `getMarketPricesKnownAt`; `npx itemtape get` lists all$/,
  ],
  [["get", "frobnicate"], 64, /no operation `frobnicate`; `npx itemtape get` lists all$/],
  [["getmarketprices", "95"], 64, /unknown command `getmarketprices`, perhaps `get getMarketPrices`/],
  [["getMarketPrice", "95"], 64, /perhaps `get getMarketPrices`/],
  [["prices", "95"], 64, /unknown command `prices`, perhaps `price`/],
  [["listItems"], 64, /unknown command `listItems`, perhaps `get listItems`/],
  [["gett", "getUsage"], 64, /perhaps `get`/],
  [["kit", "run"], 64, /--client: name the command that starts an adapter of your client$/],
  [["kit", "run", "--client", "cat", "--only", "exprt"], 64, /unknown scenario or group `exprt`, perhaps `export`$/],
  [["kit", "run", "--client", "cat", "--report", "xml"], 64, /--report: must be one of table, json, junit$/],
  [["hlep"], 64, /unknown command `hlep`, perhaps `help`/],
  [["--vresion"], 64, /perhaps `--version`/],
  [["get", "getMarketPrices", "95"], 0, /^item_id +95$/m],
  [["get", "getMarketPrices", "95", "provider=steam"], 0, /^item_id +95$/m],
  [["get", "getMarketPrices", "95", "96"], 64, /`95`: parameters are given as NAME=VALUE/],
  [["get", "getItem", "itemtape_live_secret1"], 64, /item_id: must be a whole number, not `\[key\]`$/],
  [["price", "itemtape_live_secret1"], 64, /the parameter `names` contains an API key/],
  [["get", "getItem", "item_id=abc"], 64, /item_id: must be a whole number, not `abc`/],
  [["get", "getItem", "item=95"], 64, /getItem has no parameter `item`; it has item_id/],
  [["get", "getItem"], 64, /getItem needs item_id=…; `npx itemtape get getItem --help` explains it/],
  [
    ["get", "getItem", "item_id=99999999"],
    66,
    /`item_not_found`.*item 99999999 does not exist; the request cost a unit; see http/,
  ],
  [["get", "listItems", "q=ak47", "limit=1"], 0, /AK-47/],
  [["search", "ak-47 redline"], 0, /AK-47 \| Redline/],
  [["search", "karambit", "dopler"], 0, /read as `karambit doppler`/],
  [["price", "karambit"], 0, /^★ Karambit \(4\)$/m],
  [["get", "listItems", "limit=1000"], 64, /limit: must be 1 to 100, not 1000$/],
  [["get", "listItems", "--limit", "10"], 64, /'--limit'; parameters are written NAME=VALUE, such as limit=10/],
  [["get", "listItems", "-q", "ak"], 64, /'-q'; parameters are written NAME=VALUE/],
  [["get", "listItems", "--jsn"], 64, /'--jsn', perhaps `--json`/],
  [
    ["get", "getDailyPriceHistory", "item_id=95", "from=01/01/2026"],
    64,
    /from: must be a date such as 2026-01-31, not `01\/01\/2026`/,
  ],
  [
    ["get", "getDailyPriceHistory", "item_id=95", "from=2026-01-10", "to=2026-01-01"],
    64,
    /`from`: must not be after `to`/,
  ],
  [
    ["get", "getMarketPrices", "item_id=95", "provider=stem"],
    64,
    /there are bazaar, northgate, .* \(`listProviders`, 1 unit\), perhaps `steam`/,
  ],
  [["get", "getMarketPrices", "item_id=95", "provider=Steam"], 0, /^item_id +95$/m],
  [["history", "95", "--provider", "bazar"], 64, /perhaps `bazaar`/],
  [["get", "listExchangeRates", "currency=eur"], 0, /^EUR /m],
  [["get", "listItems", "item_type=knife", "limit=1"], 0, /Knife/],
  [["get", "listItems", "rarity=covert", "limit=1"], 0, /Covert/],
  [["get", "listItems", "weapon=ak47", "limit=1"], 0, /AK-47/],
  [["get", "listExchangeRates", "currency=itemtape_live_secret1"], 64, /the parameter `currency` contains an API key/],
  [["get", "getOpenable", "Kilowatt Case"], 64, /perhaps `kilowatt-case`; `npx itemtape get listOpenables` lists them/],
  [["get", "getUsage"], 64, /ITEMTAPE_API_KEY must hold a key; it has no flag/, "none"],
  [["get", "getUsage"], 77, /`invalid_api_key`.*the environment variable ITEMTAPE_API_KEY holds the key/, "wrong"],
  [
    ["get", "getMarketPrices", "95"],
    77,
    /`plan_upgrade_required`.* paid plan; the plans builder, trader, quant include it/,
    "free",
  ],
  [
    ["get", "listPortfolios"],
    77,
    /`insufficient_scope`: the key lacks the scope `portfolio:read`; make a personal token at http:\/\/[\d.:]+\/dashboard\/tokens\/new;/,
  ],
  [["get", "getStatus", "--url", "http://127.0.0.1:9"], 64, /the port belongs to another protocol/],
  [
    ["get", "getStatus", "--url", "127.0.0.1:8080"],
    64,
    /must be the address of a service, such as http:\/\/127\.0\.0\.1:8080/,
  ],
  [["import", "quotes", tmpdir()], 66, /is a folder; name a file in it$/],
  [["import", "quotes", tmpdir(), "--adapter", "steam"], 66, /is a folder; name a file in it$/],
  [["portfolios", "import", "pf_1", "inventory.json", "--adapter", "steam"], 64, /ndjson, steam-inventory/],
  [["portfolios", "import", "pf_1", "inventory.json", "--adapter", "steam-inventry"], 64, /perhaps `steam-inventory`/],
  [["export", "market.zip"], 64, /must be one of ndjson, csv, parquet, sqlite/],
  [["export", "market"], 64, /a FILE that ends in \.csv or another of these needs none$/],
  [["get", "listItems", "q=zzzz"], 0, /^no rows\nfewer words find more; `npx itemtape search` suggests some\nleft: /m],
  [["start", "--prot", "80"], 64, /'--prot', perhaps `--port`$/],
  [["keys", "create"], 64, /ACCOUNT is missing; usage: npx itemtape keys create ACCOUNT/],
  [["keys", "--help"], 0, /^ +keys create +make a project key/m],
  [["help", "keys"], 0, /^ +keys revoke +end a key permanently/m],
  [["help", "get"], 0, /^usage: npx itemtape get /m],
  [["accounts", "lst"], 64, /perhaps `list`/],
  [["completion"], 64, /bash\|zsh\|fish is missing; usage: npx itemtape completion bash\|zsh\|fish$/],
  [["completion", "bsh"], 64, /unknown shell `bsh`, perhaps `bash`/],
  [["price", "661", "--json", "--csv"], 64, /--csv and --json: give one of them/],
];

describe("mistakes on the command line", () => {
  it("get a helpful message, without charge and without a stack trace", async () => {
    const world = await World.start();
    try {
      const account = world.account("trader");
      const keys = { none: undefined, wrong: "itemtape_live_wrong", free: world.account("free").secret };
      const unsent =
        /such as|must (?:be|have)|takes|perhaps `(?!steam|bazaar)|is missing|needs item_id|give one of them/;
      for (const [typed, code, says, key] of mistakes) {
        const secret = key === undefined ? account.secret : keys[key];
        const env = { ITEMTAPE_URL: world.base, ...(secret !== undefined && { ITEMTAPE_API_KEY: secret }) };
        const before = world.used(account.accountId);
        const ran = await runHere(typed, { env });
        const said = [...ran.notes, ...ran.lines].join("\n");
        expect([ran.code, said], typed.join(" ")).to.satisfy(
          ([got, text]: [number, string]) => got === code && says.test(text),
        );
        expect(said, typed.join(" ")).not.to.match(/unexpected failure|\n +at /);
        if (code === 64 && unsent.test(said) && !said.includes("1 unit"))
          expect(world.used(account.accountId) - before, typed.join(" ")).to.be.at.most(typed[0] === "price" ? 2 : 0);
      }
    } finally {
      await world.stop();
    }
  });

  it("count an empty service address in the environment as unset", async () => {
    const { code, notes } = await runHere(["get", "getUsage"], { env: { ITEMTAPE_URL: "" } });
    expect([code, notes[0]]).to.deep.equal([
      64,
      "itemtape: the environment variable ITEMTAPE_API_KEY must hold a key; it has no flag",
    ]);
    const wrong = await runHere(["get", "getUsage", "--url", ""]);
    expect(wrong.notes[0]).to.match(/--url: must be the address of a service/);
  });
});
