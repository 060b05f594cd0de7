import { execFileSync } from "node:child_process";
import { closeSync, openSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { guessAdapter } from "../../src/import/guess-adapter.ts";
import { temporaryFolder } from "../support/files.ts";

const rows = Array.from({ length: 3000 }, (_, index) => `"Name ${index}": ${Math.sin(index)}`).join(",");
const bodies: readonly [text: string, guesses: Readonly<Record<"quotes" | "daily" | "rates", string | null>>][] = [
  [`{"format":"itemtape-feed","version":1}\n{"end":true}\n`, { quotes: "canonical", daily: null, rates: null }],
  [`{"format": "itemtape-daily", "version": 1}\n`, { quotes: null, daily: "canonical", rates: null }],
  [`{"metadata":{"currency":"USD"},"prices":{${rows}}}`, { quotes: "steam", daily: null, rates: null }],
  [`\ufeff{\n "prices": {${rows}},\n "metadata": {}}`, { quotes: "steam", daily: null, rates: null }],
  [`{"AK-47 | A (B)":{"highest_order":{"price":1}}}`, { quotes: "buff", daily: null, rates: null }],
  [`{"AK-47 | A (B)": [[1], [2], [3]]}`, { quotes: null, daily: "buff-history", rates: null }],
  ["Date,USD,JPY,\n2026-01-02,1.1,150,\n", { quotes: null, daily: null, rates: "ecb" }],
  [`{"date":"2026-01-02","usd":{"eur":0.9}}`, { quotes: null, daily: null, rates: "per-usd" }],
  ["Date, USD, JPY, \n2 January 2026, 1.1, 150, \n", { quotes: null, daily: null, rates: "ecb" }],
  [
    `{"amount":1.0,"base":"USD","date":"2026-01-02","rates":{"EUR":1}}`,
    { quotes: null, daily: null, rates: "frankfurter" },
  ],
  [`{"timestamp":1,"base":"USD","rates":{"EUR":1}}`, { quotes: null, daily: null, rates: "open-exchange" }],
  [`{"items":[]}`, { quotes: null, daily: null, rates: null }],
  ["", { quotes: null, daily: null, rates: null }],
];

describe("adapter detection by a file's content", () => {
  const folder = temporaryFolder();
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("finds the adapter of plain and gzip files, or none", () => {
    for (const [index, [text, guesses]] of bodies.entries()) {
      for (const [ending, bytes] of [
        ["json", Buffer.from(text)],
        ["gz", gzipSync(text)],
      ] as const) {
        const path = join(folder, `${index}.${ending}`);
        writeFileSync(path, bytes);
        for (const [imported, guess] of Object.entries(guesses))
          expect(guessAdapter(path, imported as "quotes"), `${imported} ${text.slice(0, 40)}`).to.equal(guess);
      }
    }
    expect(guessAdapter(join(folder, "missing.json"), "quotes")).to.equal(null);
  });

  it("reads nothing from a pipe", () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const pipe = openSync(path, "r+");
    try {
      writeSync(pipe, bodies[0]![0]);
      expect(guessAdapter(path, "quotes")).to.equal(null);
      expect(readSync(pipe, Buffer.alloc(1000))).to.equal(bodies[0]![0].length);
    } finally {
      closeSync(pipe);
    }
  });
});
