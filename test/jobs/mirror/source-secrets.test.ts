import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { readMirrorConfig } from "../../../src/jobs/mirror/mirror-config.ts";
import { addressWith, type SourceSecrets } from "../../../src/jobs/mirror/source/source-secrets.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { runHere } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/files.ts";
import { answer, type Behaviour, FeedServer } from "./feed-server.ts";
import { MirrorWorld, steamBody } from "./mirror-world.ts";

const token = "hush-hush-7f3a9c/0e+1";
const parameter = "whisper-51d2 & more";
const environment = { ITEMTAPE_FEED_TOKEN: `bearer ${token}`, ITEMTAPE_FEED_KEY: parameter };
/** Every form in which a secret could leak. */
const forms = [
  token,
  token.replaceAll("/", "\\/"),
  encodeURIComponent(token),
  parameter,
  encodeURIComponent(parameter),
];
const asked = {
  headers: { Authorization: { env: "ITEMTAPE_FEED_TOKEN" } },
  query: { key: { env: "ITEMTAPE_FEED_KEY" } },
};
const good = { feed: "hall", adapter: "canonical", source: "https://example.com/hall?x=1", interval_seconds: 300 };
const prices = { "Item 0": 100, "Item 1": 200 };

function expectNoSecret(text: string, where: string): void {
  for (const form of forms)
    expect(text.toLowerCase().includes(form.toLowerCase()), `${where}: ${form}`).to.equal(false);
}

describe("source secrets", () => {
  const folder = temporaryFolder();
  const path = join(folder, "mirror.json");
  const read = (feed: object, given: NodeJS.ProcessEnv = environment) => {
    writeFileSync(path, JSON.stringify({ feeds: [{ ...good, ...feed }] }, null, 1));
    return readMirrorConfig(path, given);
  };

  it("are read from the environment for headers and parameters", () => {
    expect(read(asked)[0]!.source).to.deep.equal({
      kind: "http",
      url: good.source,
      secrets: { headers: { authorization: `bearer ${token}` }, query: { key: parameter } },
    });
  });

  it("include a parameter named __proto__", () => {
    const { source } = read({ query: { ["__proto__"]: asked.query.key } })[0]!;
    const { secrets, url } = source as { secrets: SourceSecrets; url: string };
    expect(addressWith(new URL(url), secrets).searchParams.get("__proto__")).to.equal(parameter);
  });

  const header = (name: string, env = "ITEMTAPE_FEED_TOKEN") => ({ headers: { [name]: { env } } });
  const given = (value: string) => ({ ITEMTAPE_FEED_TOKEN: value });
  const wrong: [what: string, feed: object, description: RegExp, given?: NodeJS.ProcessEnv][] = [
    ["a variable that is not set", header("X-Key", "ITEMTAPE_FEED_NONE"), /line 9: ITEMTAPE_FEED_NONE is not set/],
    ["an empty variable", header("X-Key"), /ITEMTAPE_FEED_TOKEN is not set in the environment; set it/, given("")],
    ["a variable of another name", header("X-Key", "HOME"), /`feeds\.0\.headers\.X-Key\.env` must match pattern/],
    ["a value in the file", { headers: { "X-Key": token } }, /line 9: `feeds\.0\.headers\.X-Key` must be object/],
    [
      "a line break in a value",
      header("X-Key"),
      /has characters other than printable ASCII/,
      given("12345678\r\nX: 1"),
    ],
    ["a short value", header("X-Key"), /has fewer than 8 characters/, given("1234567")],
    ["an invalid header name", header("X Key:"), /`feeds\.0\.headers` must match pattern|property name must be valid/],
    ["a header twice", { headers: { ...asked.headers, ...header("authorization").headers } }, /is given twice/],
    ["a parameter of the address", { query: { x: asked.query.key } }, /the address has the parameter x already/],
    ["a header for a file", { ...asked, source: "hall.json" }, /a file must have no headers; remove them/],
    ["plain http to another machine", { ...asked, source: "http://example.com/x" }, /the source must be https/],
  ];
  for (const [what, feed, description, values = environment] of wrong) {
    it(`stop the start without showing a value for ${what}`, () => {
      expect(() => read(feed, values))
        .to.throw(OperatorError, description)
        .with.property("message")
        .that.satisfies((message: string) => message.startsWith(`${path}: line `) && !message.includes(token));
    });
  }

  it("are rejected and named in reserved headers", () => {
    const reserved = ["Host", "Content-Length", "Connection", "Transfer-Encoding", "TE", "Upgrade", "Keep-Alive"];
    for (const name of [...reserved, "Trailer", "Proxy-Connection", "Expect", "If-None-Match", "Range"]) {
      expect(() => read(header(name)), name).to.throw(
        OperatorError,
        `the header ${name.toLowerCase()} must not be in a configuration`,
      );
    }
  });
});

describe("mirror with secrets", () => {
  let world: MirrorWorld;
  const secrets = { headers: { authorization: `bearer ${token}` }, query: { key: parameter } };
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  const polls = async (behave: Behaviour) => {
    world.server.behave = behave;
    world.restart(world.feed({ source: { kind: "http", url: `${world.server.url}?x=1`, secrets } }));
    await world.mirror.turn();
    return world.take();
  };

  for (const [contentEncoding, pack] of [["gzip", gzipSync] as const, ["br", brotliCompressSync] as const]) {
    it(`sends its header and parameter, and reads a response in ${contentEncoding}`, async () => {
      const behave = answer(200, pack(steamBody(prices)), { "Content-Encoding": contentEncoding });
      expect((await polls(behave)).map(({ event }) => event)).to.include("generationPublished");
      const [head] = world.server.heads;
      expect(head).to.match(/^get \/feed\.json\?x=1&key=whisper-51d2\+%26\+more http/);
      expect(head)
        .to.include(`\r\nauthorization: bearer ${token}\r\n`)
        .and.to.match(/accept-encoding: gzip, br/);
    });
  }

  it("resends the header on a redirect within the origin only", async () => {
    const moved = (location: string) => answer(302, "", { Location: location });
    const after = answer(200, steamBody(prices));
    const within: Behaviour = (socket, head, server) =>
      (head.startsWith("get /there") ? after : moved("/there"))(socket, head, server);
    expect((await polls(within)).map(({ event }) => event)).to.include("generationPublished");
    expect(world.server.heads.at(-1))
      .to.match(/^get \/there http/)
      .and.to.include(token);
    const other = new FeedServer();
    await other.start();
    try {
      const [failed] = await polls(moved(other.url));
      expect(failed!.facts.reason).to.match(/redirects to another origin/);
      expect(other.heads).to.deep.equal([]);
    } finally {
      await other.stop();
    }
  });

  it("writes no secret repeated by a source to any event or table", async () => {
    const inHost = answer(302, "", { Location: `https://${token.replaceAll(/[/+]/g, "-")}.example/` });
    const said = (text: string): Behaviour[] => [
      answer(
        200,
        steamBody({ ...prices, NAME: 7 }).replace("NAME", () => text),
      ),
      answer(200, `{"metadata": {"currency": "${text}"}, "prices": {}}`),
      answer(302, "", { Location: `http://${encodeURIComponent(text).replaceAll("%", "")}/${text}` }),
      answer(401, text),
    ];
    const reasons: string[] = [];
    for (const behave of [inHost, ...forms.filter((form) => !form.includes("&")).flatMap(said)]) {
      for (const reported of await polls(behave)) {
        if (behave !== inHost) expectNoSecret(JSON.stringify(reported), reported.event);
        reasons.push(reported.facts.reason);
      }
    }
    expect(reasons).to.include("the body contains a secret of the request and was discarded");
    for (const name of readdirSync(world.file.folder)) {
      expectNoSecret(readFileSync(join(world.file.folder, name), "latin1"), name);
    }
  });

  it("prints no secret, whether the poll succeeds or fails", async () => {
    const config = join(world.file.folder, "mirror.json");
    const feed = { ...good, feed: "steam", adapter: "steam", source: world.server.url, interval_seconds: 1, ...asked };
    writeFileSync(config, JSON.stringify({ feeds: [feed] }));
    for (const behave of [answer(200, steamBody(prices)), answer(403, token), answer(200, `{"${token}": 1}`)]) {
      world.server.behave = behave;
      const words = ["mirror", "--once", "--mirror-config", config, "--db", world.path];
      const { lines, notes } = await runHere(words, { env: environment });
      const printed = [...lines, ...notes].join("\n");
      expect(printed).to.include("steam: ");
      expectNoSecret(printed, "printed");
    }
  });
});
