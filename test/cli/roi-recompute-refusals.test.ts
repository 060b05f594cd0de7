import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../support/files.ts";
import { type Body, openableBody, outcomesBody, runRecompute, slug, spoil } from "./recompute-answers.ts";

describe("saved responses that cannot be recomputed", () => {
  const folder = temporaryFolder();
  const file = (name: string, body: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    return path;
  };
  const run = (openable: unknown, outcomes: unknown, ...more: string[]) => {
    const names = ["--current", file("current.json", openable), "--outcomes", file("outcomes.json", outcomes)];
    return runRecompute([slug, ...names, ...more]);
  };
  const changed = (body: Body, change: (data: Body) => void): Body => {
    change(body.data);
    return body;
  };

  // RFC 3339 and the contract's pattern allow this time, but it has no value in milliseconds.
  const leap = "2016-12-31T23:59:60.000Z";
  const noTime = (field: string) => new RegExp(`^${field}: ${leap} must be a valid time$`);
  const late = "2026-01-15T12:00:00.001Z";
  const refusal = { type: "/problems/x", title: "X", status: 404, code: "openable_not_found", request_id: "1" };
  const decimal = JSON.stringify(openableBody()).replace('"cost_cents":294', '"cost_cents":294.0');
  const tierTwice = [...openableBody().data.pool.tiers, { ...openableBody().data.pool.tiers[1], weight: 1 }];
  /** The path of the changed value in the container (`open`) or its outcomes (`out`), and its value. Undefined removes it. */
  const refusals: [title: string, place: string, value: unknown, description: RegExp, code?: number][] = [
    [
      "another container",
      "open.data.slug",
      "other-case",
      /current\.json: it is the answer for `other-case`, not for `g/,
    ],
    ["another mode", "open.data.valuation_mode", "cash_ask", /its valuation mode is cash_ask, not steam_gross; name/],
    ["an empty file", "open", "", /current\.json: it is empty/],
    ["no JSON", "out", '{"data":[\n1,,]}', /outcomes\.json: line 2, column 3: not JSON to be trusted/],
    ["no UTF-8", "out", Buffer.from([0xff, 0xfe]), /outcomes\.json: not UTF-8/],
    ["a key twice", "open", '{"data":1,"data":2}', /current\.json: line 1, column 11: .*a key appears twice/],
    [
      "another answer",
      "out",
      openableBody(),
      /outcomes\.json: not an answer of listOpenableOutcomes: .*is missing|must be array/,
    ],
    [
      "a missing field",
      "open.data.current.quantiles.p25",
      undefined,
      /getOpenable: data\.current\.quantiles\.p25 is missing$/,
    ],
    ["a field of another type", "out.data.3.value_cents", "20", /listOpenableOutcomes: data\[3\]\.value_cents must be/],
    ["an unknown field", "open.data.pool.odds", 1, /data\.pool\.odds is unknown$/],
    [
      "a decimal number",
      "open",
      decimal,
      /current\.json: data\.current\.cost_cents: must be a whole number in plain digits$/,
    ],
    [
      "a saved refusal",
      "open",
      { ...refusal, detail: "no \u001b[31m" },
      /holds a refusal, `openable_not_found`: no \?\[31m$/,
    ],
    ["pages that end too early", "out", outcomesBody(0, 9, "pag_1"), /outcomes\.json: more pages follow it/],
    ["an outcome twice", "out.data.3.item_id", 200, /^outcomes: item 200 is listed twice$/],
    ["a tier twice", "open.data.pool.tiers", tierTwice, /^pool\.tiers: the tier `restricted` is listed twice$/],
    [
      "outcomes of another pool",
      "out.data.3.tier",
      "legendary",
      /^outcomes: item 203 is of the tier `legendary`, .*belong to another pool$/,
    ],
    ["no outcomes", "out", outcomesBody(0, 0), /^outcomes: the list is empty$/],
    [
      "a value of nobody",
      "out.data.0.value_provider",
      null,
      /^outcomes\[item 200\]: has value_cents but no value_provider$/,
    ],
    [
      "too large a cost",
      "open.data.current.container_cost_cents",
      Number.MAX_SAFE_INTEGER,
      /^golden-case: the cost 9007199254740991 \+ 249 must be a positive/,
    ],
    [
      "another methodology",
      "open.data.current.methodology_version",
      "roi-2",
      /^golden-case: its methodology_version is roi-2, but this/,
    ],
    [
      "a newer pool",
      "open.data.pool.revision_id",
      `pr_${"a".repeat(24)}`,
      /calculated from revision_id pr_0123.*, but the pool shown is pr_aaa/,
      75,
    ],
    ["a leap second of the calculation", "open.data.current.calculated_at", leap, noTime("current.calculated_at")],
    [
      "a leap second of the cost",
      "open.data.current.container_cost_as_of",
      leap,
      noTime("current.container_cost_as_of"),
    ],
    ["a leap second of the answer", "open.meta.generated_at", leap, noTime("meta.generated_at")],
    ["a leap second of a value", "out.data.3.value_as_of", leap, noTime("outcomes\\[item 203\\].value_as_of")],
    ["a leap second without a value", "out.data.19.value_as_of", leap, noTime("outcomes\\[item 219\\].value_as_of")],
    [
      "a calculation after its answer",
      "open.data.current.calculated_at",
      late,
      /^current\.calculated_at: 2026-01-15T12:00:00\.001Z is later/,
    ],
  ];
  for (const [title, place, value, description, code = 65] of refusals) {
    it(`are refused and named with exit code ${code}: ${title}`, async () => {
      const bodies: Body = { open: openableBody(), out: outcomesBody() };
      spoil(bodies, place.split("."), () => value);
      const ran = await run(bodies.open, bodies.out);
      expect(ran.notes.join("\n")).to.match(description);
      expect([ran.code, ran.lines.length, ran.notes.length]).to.deep.equal([code, 0, 1]);
    });
  }

  it("are refused and named if a file is missing or pages continue", async () => {
    const current = file("there.json", openableBody());
    const last = file("last.json", outcomesBody());
    const missing = await runRecompute([
      slug,
      "--current",
      current,
      "--outcomes",
      `${last},${join(folder, "none.json")}`,
    ]);
    expect([missing.code, ...missing.notes]).to.deep.equal([
      65,
      `${last}: it is the last page, but ${folder}/none.json follows it`,
    ]);
    const gone = await runRecompute([slug, "--current", join(folder, "none.json"), "--outcomes", last]);
    expect([gone.code, ...gone.notes]).to.deep.equal([66, `${folder}/none.json: the file does not exist`]);
  });

  it("exit with 66 for a saved container without a published calculation", async () => {
    const body = changed(openableBody(), (data) => Object.assign(data, { current: null }));
    const { code, lines, notes } = await run(body, outcomesBody());
    expect({ code, lines, notes }).to.deep.equal({
      code: 66,
      lines: [],
      notes: [
        "golden-case: no calculation is published for steam_gross (current is null), so there is nothing to recompute",
      ],
    });
    const json = await run(body, outcomesBody(), "--json");
    expect([json.code, JSON.parse(json.lines[0]!).result]).to.deep.equal([66, "nothing_published"]);
  });

  const usage: [words: string[], description: RegExp][] = [
    [[slug], /ITEMTAPE_API_KEY must hold a key/],
    [
      [slug, "--url", "http://127.0.0.1", "--current", "a"],
      /give --url BASE, or --current FILE with --outcomes FILES, not both/,
    ],
    [[slug, "--current", "a"], /--outcomes: the saved answers of listOpenableOutcomes are missing/],
    [[slug, "--outcomes", "a"], /--current: the saved answer of getOpenable is missing/],
    [[slug, "--current", "a", "--outcomes", "a,,b"], /--outcomes: must be names of files, separated by commas/],
    [["Golden Case", "--url", "http://127.0.0.1"], /SLUG: must be the slug of a container/],
    [
      [slug, "--url", "http://127.0.0.1", "--valuation-mode", "steam"],
      /--valuation-mode: must be one of steam_gross, cash_ask/,
    ],
    [[slug, "--url", "http://127.0.0.1"], /ITEMTAPE_API_KEY must hold a key/],
    ...["127.0.0.1:8080", "ftp://host", "http://user:word@host", "http://host/?key=1", "http://host/#x"].map(
      (url): [string[], RegExp] => [[slug, "--url", url], /--url: must be the address of a service/],
    ),
    [[slug, "--db", "x"], /unknown option '--db'/],
  ];
  for (const [words, description] of usage) {
    it(`\`roi recompute ${words.join(" ")}\` is refused and named`, async () => {
      const { code, lines, notes } = await runRecompute(words);
      expect([code, lines.length, notes.length]).to.deep.equal([64, 0, 1]);
      expect(notes[0]).to.match(description);
    });
  }

  for (const [words, env, name] of [
    [["--url", "http://127.0.0.1/itemtape_live_abcdef123456"], {}, "--url"],
    [[], { ITEMTAPE_URL: "http://127.0.0.1/itemtape_live_abcdef123456" }, "environment variable ITEMTAPE_URL"],
  ] as [string[], Record<string, string>, string][]) {
    it(`a key in the address of ${name} is refused and not shown`, async () => {
      const ran = await runRecompute([slug, ...words], { ITEMTAPE_API_KEY: "itemtape_live_other123456", ...env });
      expect([ran.code, ...ran.notes]).to.deep.equal([
        64,
        `${name}: contains a key, which must never be in an address`,
      ]);
    });
  }

  it("a key invalid in a header is refused and not shown", async () => {
    const ran = await runRecompute([slug, "--url", "http://127.0.0.1"], { ITEMTAPE_API_KEY: "secret\nsecret" });
    expect([ran.code, ...ran.notes]).to.deep.equal([64, "environment variable ITEMTAPE_API_KEY: must be an API key"]);
  });
});
