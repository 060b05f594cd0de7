import { readFileSync, renameSync, writeFileSync } from "node:fs";

const prices = JSON.parse(readFileSync("prices.json", "utf8"));
const shop = { provider: "corner-shop", name: "Corner Shop", kind: "cash" };
const header = { format: "itemtape-feed", version: 1, feed: "corner-shop", providers: [shop] };
const quotes = Object.entries(prices).map(([name, dollars]) => {
  if (!/^[0-9]+\.[0-9]{2}$/.test(dollars)) throw new Error(`${name}: ${dollars} needs two decimals`);
  const amount = Number(dollars.replace(".", ""));
  return { provider: "corner-shop", side: "ask", amount, market_hash_name: name };
});
const lines = [header, ...quotes, { end: true, quotes: quotes.length }];
writeFileSync("corner-shop.new", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
renameSync("corner-shop.new", "corner-shop.ndjson");
