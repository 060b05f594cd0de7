import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { guardDefaults } from "../../../src/import/guards/findings.ts";
import { readMirrorConfig } from "../../../src/jobs/mirror/mirror-config.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { temporaryFolder } from "../../support/files.ts";

const good = { feed: "hall", adapter: "canonical", source: "https://example.com/hall", interval_seconds: 300 };

describe("mirror configuration", () => {
  const folder = temporaryFolder();
  const path = join(folder, "mirror.json");

  const read = (content: unknown) => {
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 1));
    return readMirrorConfig(path);
  };

  it("is read with its defaults, and paths are relative to its file", () => {
    const feeds = [
      good,
      { ...good, feed: "steam", adapter: "steam", source: "bodies/latest.json.gz", providers: ["steam"] },
      {
        ...good,
        feed: "near",
        source: "http://127.0.0.1:9/near?x=1",
        timeout_seconds: 5,
        bytes_max: 1000,
        guards: { price_level: 5 },
      },
    ];
    const defaults = { timeoutMs: 60_000, stallMs: 20_000, bytesMax: 100_663_296 };
    const common = { adapter: "canonical", intervalMs: 300_000, providers: null, guards: guardDefaults };
    expect(read({ feeds })).to.deep.equal([
      { ...common, feed: "hall", source: { kind: "http", url: good.source }, limits: defaults },
      {
        ...common,
        feed: "steam",
        adapter: "steam",
        providers: ["steam"],
        source: { kind: "file", path: join(folder, "bodies/latest.json.gz") },
        limits: defaults,
      },
      {
        ...common,
        feed: "near",
        source: { kind: "http", url: "http://127.0.0.1:9/near?x=1" },
        limits: { timeoutMs: 5000, stallMs: 5000, bytesMax: 1000 },
        guards: { ...guardDefaults, price_level: 5 },
      },
    ]);
  });

  const wrong: [what: string, content: unknown, description: RegExp][] = [
    ["invalid JSON", '{\n "feeds": [}', /line 2: not JSON to be trusted/],
    ["a key given twice", '{"feeds": [],\n "feeds": []}', /line 2: not JSON to be trusted/],
    ["an array instead of an object", "[]", /line 1: the file must be object/],
    ["no feeds", {}, /line 1: the file must have required property 'feeds'/],
    ["an empty list", { feeds: [] }, /line 2: `feeds` must NOT have fewer than 1 items/],
    ["an unknown setting", { feeds: [good], every: 5 }, /line 10: unknown setting `every`; remove it/],
    [
      "an unknown setting of a feed",
      { feeds: [good, { ...good, url: "x" }] },
      /line 14: unknown setting `url` in `feeds\.1`; remove it/,
    ],
    [
      "a threshold of an unknown guard",
      { feeds: [{ ...good, guards: { price: 5 } }] },
      /line 9: unknown setting `price` in `feeds\.0\.guards`; remove it/,
    ],
    [
      "a feed without an interval",
      { feeds: [{ ...good, interval_seconds: undefined }] },
      /line 3: `feeds\.0` must have required property 'interval_seconds'/,
    ],
    [
      "a short interval",
      { feeds: [{ ...good, interval_seconds: 9 }] },
      /line 7: the source can be polled every 10 seconds at most; set 10 or more/,
    ],
    [
      "an interval of zero",
      { feeds: [{ ...good, interval_seconds: 0 }] },
      /line 7: `feeds\.0\.interval_seconds` must be >= 1/,
    ],
    ["an interval with a fraction", { feeds: [{ ...good, interval_seconds: 10.5 }] }, /line 7: .* must be integer/],
    [
      "a feed name that is not a slug",
      { feeds: [{ ...good, feed: "The Hall" }] },
      /line 4: `feeds\.0\.feed` must match pattern/,
    ],
    [
      "a provider name that is not a slug",
      { feeds: [{ ...good, providers: ["hall", "A"] }] },
      /line 10: `feeds\.0\.providers\.1` must match/,
    ],
    [
      "an unknown adapter",
      { feeds: [{ ...good, adapter: "ebay" }] },
      /line 5: unknown adapter `ebay`; the adapters are canonical, steam, buff/,
    ],
    ["a feed given twice", { feeds: [good, good] }, /line 10: the feed hall is given twice; remove one/],
    [
      "a provider of two feeds",
      {
        feeds: [
          { ...good, providers: ["x"] },
          { ...good, feed: "b", providers: ["x"] },
        ],
      },
      /the provider x also belongs to the feed hall/,
    ],
    [
      "an adapter under another feed's name",
      { feeds: [{ ...good, adapter: "steam" }] },
      /line 4: the adapter steam reads the feed steam; name it so, not hall/,
    ],
    [
      "plain http to another machine",
      { feeds: [{ ...good, source: "http://example.com/x" }] },
      /line 6: the source must be https; plain http only to localhost/,
    ],
    ["another scheme", { feeds: [{ ...good, source: "ftp://example.com/x" }] }, /line 6: the source must be https/],
    [
      "a file by its address",
      { feeds: [{ ...good, source: "file:///feed.json" }] },
      /line 6: the source must be https.* a file by its path/,
    ],
    [
      "credentials",
      { feeds: [{ ...good, source: "https://me:word@example.com/x" }] },
      /line 6: the source must not contain credentials/,
    ],
    ["an invalid address", { feeds: [{ ...good, source: "https://" }] }, /line 6: the source is not an address/],
  ];
  for (const [what, content, description] of wrong) {
    it(`is rejected and located for ${what}`, () => {
      expect(() => read(content))
        .to.throw(OperatorError, description)
        .with.property("message")
        .that.includes(`${path}: line `)
        .and.does.not.include("word@");
    });
  }

  it("is rejected with the flag that names another if missing", () => {
    expect(() => readMirrorConfig(join(folder, "none.json"))).to.throw(
      OperatorError,
      "name another with --mirror-config",
    );
    expect(() => readMirrorConfig(folder)).to.throw(OperatorError, "not a file of at most");
  });
});
