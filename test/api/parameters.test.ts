import { expect } from "chai";
import { sendRaw } from "./raw.ts";
import { type Seen, smallTable } from "./small-table.ts";
import { openWorld, type World } from "./world.ts";

const notCanonical = "must be a canonical decimal integer";

/** Path with query, and its fault. */
const refused: [string, string][] = [
  ...["0x10", "07", "%205", "+5", ""].map((text): [string, string] => [
    `/v1/items?limit=${text}`,
    `query parameter \`limit\`: ${notCanonical}`,
  ]),
  ...["07", "..", "a%2fb", "__proto__"].map((text): [string, string] => [
    `/v1/items/${text}`,
    `path parameter \`item_id\`: ${notCanonical}`,
  ]),
  ["/v1/items/0", "path parameter `item_id`: must be >= 1"],
  ["/v1/items/2147483648", "path parameter `item_id`: must be <= 2147483647"],
  ["/v1/items/99999999999999999999999999999999", "path parameter `item_id`: must be <= 2147483647"],
  ["/v1/items?limit=0", "query parameter `limit`: must be >= 1"],
  ["/v1/items?limit=101", "query parameter `limit`: must be <= 100"],
  ["/v1/items?cursor=2147483648", "query parameter `cursor`: must be <= 2147483647"],
  ["/v1/items?q=", "query parameter `q`: must have at least 1 character"],
  ["/v1/items?q", "query parameter `q`: must have at least 1 character"],
  [`/v1/items?q=${"a".repeat(121)}`, "query parameter `q`: must have at most 120 characters"],
  ["/v1/items?q=a%0Ab", "query parameter `q`: must match the pattern"],
  ["/v1/items?q=%7F", "query parameter `q`: must match the pattern"],
  ["/v1/items?limit=1&limit=1", "query parameter `limit`: must be given once"],
  ["/v1/items?limit=1&l%69mit=2", "query parameter `limit`: must be given once"],
  ["/v1/items?q=a&q=b", "query parameter `q`: must be given once"],
  ["/v1/items?verbose=1", "query parameter `verbose`: is not known"],
  ["/v1/items?Limit=1", "query parameter `Limit`: is not known"],
  ["/v1/items?limit[]=1", "query parameter `limit[]`: is not known"],
  ["/v1/items?limit%5B%5D=1", "query parameter `limit[]`: is not known"],
  ["/v1/items?limit[a]=1", "query parameter `limit[a]`: is not known"],
  ["/v1/items?__proto__=1", "query parameter `__proto__`: is not known"],
  ["/v1/items?constructor=1", "query parameter `constructor`: is not known"],
  ["/v1/items?hasOwnProperty=1", "query parameter `hasOwnProperty`: is not known"],
  ["/v1/items?item_id=1", "query parameter `item_id`: is not known"],
  ["/v1/items?limit=1&", "query string: has an empty parameter"],
  ["/v1/items?&limit=1", "query string: has an empty parameter"],
  ["/v1/items?=1", "query parameter (unprintable or long name): is not known"],
  ["/v1/items?%3Cscript%3E=1", "query parameter (unprintable or long name): is not known"],
  [`/v1/items?${"a".repeat(65)}=1`, "query parameter (unprintable or long name): is not known"],
  ["/v1/items?limit=1?cursor=1", `query parameter \`limit\`: ${notCanonical}`],
  ["/v1/items/1?limit=1", "query parameter `limit`: is not known"],
  ["/v1/status?x=1", "query parameter `x`: is not known"],
  ["/v1/usage?x", "query parameter `x`: is not known"],
  ["/v1/providers?after=", "query parameter `after`: must have at least 1 character"],
  ["/v1/providers?after=a%20b", "query parameter `after`: must match the pattern"],
  ["/v1/items/1/markets?provider=Steam", "query parameter `provider`: must match the pattern"],
  ["/v1/items/1/markets?provider=..", "query parameter `provider`: must match the pattern"],
];

const accepted: [string, object][] = [
  ["/v1/items", {}],
  ["/v1/items?", {}],
  ["/v1/items?limit=100&cursor=0", { limit: 100, cursor: 0 }],
  ["/v1/items?q=ak+47", { q: "ak 47" }],
  ["/v1/items?q=ak%2B47", { q: "ak+47" }],
  ["/v1/items?q=%E2%98%85", { q: "★" }],
  ["/v1/items?q=a=b", { q: "a=b" }],
  ["/v1/items?q=%2525", { q: "%25" }],
  ["/v1/items?q=__proto__", { q: "__proto__" }],
  [`/v1/items?q=${"%F0%9F%99%82".repeat(120)}`, { q: "🙂".repeat(120) }],
  ["/v1/items?l%69mit=5", { limit: 5 }],
  ["/v1/items/2147483647", { item_id: 2147483647 }],
  ["/v1/items/%37", { item_id: 7 }],
  ["/v1/items/7/markets?provider=steam", { item_id: 7, provider: "steam" }],
];

const bodies: [string, string | Buffer, string][] = [
  ["", "", "request body: is required"],
  ["not JSON", "{", "request body: must be valid JSON"],
  ["two values", "{} {}", "request body: must be valid JSON"],
  ["a BOM", "\ufeff{}", "request body: must be valid JSON"],
  ["not UTF-8", Buffer.from('{"item_ids":[1],"side":"\xff"}', "latin1"), "request body: must be valid UTF-8"],
  ["a list", "[]", "request body: must be an object"],
  ["null", "null", "request body: must be an object"],
  ["no members", "{}", "request body `item_ids`: is required"],
  ["no ids", '{"item_ids":[]}', "request body `item_ids`: must have at least 1 id"],
  ["a text as id", '{"item_ids":[1,"2"]}', "request body `item_ids[1]`: must be an integer"],
  ["a fraction as id", '{"item_ids":[1.5]}', "request body `item_ids[0]`: must be an integer"],
  ["a zero id", '{"item_ids":[0]}', "request body `item_ids[0]`: must be >= 1"],
  ["a repeated id", '{"item_ids":[3,3]}', "request body `item_ids`: must not repeat an id"],
  ["an unknown key", '{"item_ids":[1],"x":1}', "request body `x`: is not known"],
  ["__proto__", '{"item_ids":[1],"__proto__":{}}', "request body `__proto__`: is not known"],
  ["a key given twice", '{"item_ids":[1],"item_ids":[2]}', "request body: a key appears twice in one object"],
  ["an unknown side", '{"item_ids":[1],"side":"both"}', "request body `side`: must be one of ask, bid"],
  ["deep nesting", `{"item_ids":${"[".repeat(5000)}${"]".repeat(5000)}}`, "request body: nested deeper than 8"],
];

describe("parameters", () => {
  const seen: Seen = [];
  let world: World;
  before(async () => {
    world = await openWorld(smallTable(seen));
  });
  after(() => world.close());
  beforeEach(() => seen.splice(0));

  const get = (path: string) =>
    sendRaw(world.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\n\r\n`);
  const post = (body: string | Buffer, headers = "Content-Type: application/json\r\n") =>
    sendRaw(world.port, [
      `POST /v1/markets/batch HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
      body,
    ]);

  for (const [path, description] of refused) {
    it(`${path.slice(0, 80)} is refused and costs no quota`, async () => {
      const used = world.used();
      const { answers } = await get(path);
      const problem = JSON.parse(answers[0]?.body ?? "");
      expect([answers[0]?.status, problem.code]).to.deep.equal([400, "invalid_parameter"]);
      expect(problem.detail).to.satisfy((detail: string) => detail.startsWith(description), problem.detail);
      expect(world.used()).to.equal(used);
      expect(seen).to.deep.equal([]);
    });
  }

  for (const [path, params] of accepted) {
    it(`${path.slice(0, 80)} is accepted`, async () => {
      const { answers } = await get(path);
      expect(answers[0]?.status).to.equal(200);
      expect(seen.map((one) => one.params)).to.deep.equal([params]);
    });
  }

  for (const [title, body, description] of bodies) {
    it(`refuses a body with ${title || "no bytes"} without cost`, async () => {
      const used = world.used();
      const { answers } = await post(body);
      const problem = JSON.parse(answers[0]?.body ?? "");
      expect([answers[0]?.status, problem.code, problem.detail]).to.deep.equal([400, "invalid_body", description]);
      expect(world.used()).to.equal(used);
    });
  }

  it("refuses a batch of 101 ids by its own code; accepts 100", async () => {
    const ids = (count: number) => JSON.stringify({ item_ids: Array.from({ length: count }, (_, index) => index + 1) });
    const problem = JSON.parse((await post(ids(101))).answers[0]?.body ?? "");
    expect([problem.code, problem.detail]).to.deep.equal([
      "batch_limit_exceeded",
      "request body `item_ids`: must have at most 100 ids",
    ]);
    expect((await post(ids(100))).answers[0]?.status).to.equal(200);
  });

  it("refuses a body of another media type, charset or coding", async () => {
    for (const headers of [
      "",
      "Content-Type: text/plain\r\n",
      "Content-Type: application/jsonp\r\n",
      "Content-Type: application/json; charset=latin1\r\n",
      "Content-Type: application/x-www-form-urlencoded\r\n",
      "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
    ]) {
      const { answers } = await post('{"item_ids":[1]}', headers);
      expect([answers[0]?.status, JSON.parse(answers[0]?.body ?? "").code], headers).to.deep.equal([
        400,
        "invalid_body",
      ]);
    }
    const { answers } = await post('{"item_ids":[1]}', "Content-Type: Application/JSON; charset=UTF-8\r\n");
    expect(answers[0]?.status).to.equal(200);
  });
});
