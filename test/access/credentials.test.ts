import { expect } from "chai";
import { composeKey, type Identifies, keyOfHeader } from "../../src/access/credentials.ts";
import { NodesCredentials } from "../../src/access/nodes/credentials.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { onEachStore } from "./stores.ts";
import { failureOf, noon, type Person, World } from "./world.ts";

const secret = "0123456789ABCDEFGHIJabcdefghij";
const key = composeKey("project", secret);
const token = composeKey("personal", secret);
const body = key.slice("itemtape_live_".length);
const otherLast = key.endsWith("0") ? "1" : "0";

const accepted: [string, string][] = [
  ["Bearer", `Bearer ${key}`],
  ["lower case scheme", `bearer ${key}`],
  ["upper case scheme", `BEARER ${key}`],
  ["mixed case scheme", `bEaReR ${key}`],
  ["personal token", `Bearer ${token}`],
];

const refused: [string, string | undefined][] = [
  ["no header", undefined],
  ["empty header", ""],
  ["scheme alone", "Bearer"],
  ["key alone", key],
  ["two spaces", `Bearer  ${key}`],
  ["tab", `Bearer\t${key}`],
  ["leading space", ` Bearer ${key}`],
  ["trailing space", `Bearer ${key} `],
  ["trailing NUL", `Bearer ${key}\0`],
  ["Basic", `Basic ${key}`],
  ["dotless scheme of another alphabet", `Веаrer ${key}`],
  ["colon", `Bearer: ${key}`],
  ["quotes", `Bearer "${key}"`],
  ["two keys", `Bearer ${key}, ${key}`],
  ["percent-encoded", `Bearer ${key.replaceAll("_", "%5F")}`],
  ["prefix in capitals", `Bearer ${key.toUpperCase()}`],
  ["other kind", `Bearer itemtape_test_${body}`],
  ["no prefix", `Bearer ${body}`],
  ["prefix alone", "Bearer itemtape_live_"],
  ["one character short", `Bearer ${key.slice(0, -1)}`],
  ["one character long", `Bearer ${key}0`],
  ["checksum missing", `Bearer ${key.slice(0, -6)}`],
  ["wrong last character", `Bearer ${key.slice(0, -1)}${otherLast}`],
  ["secret with another digit", `Bearer ${key.replace("_live_0", "_live_1")}`],
  ["letter outside ASCII", `Bearer ${key.replace("_live_0", "_live_é")}`],
  ["JSON web token", "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."],
  ["64 KiB", `Bearer ${"A".repeat(65536)}`],
];

describe("key format", () => {
  it("composes a key from prefix, 30 digits and a checksum of 6", () => {
    expect(key).to.match(/^itemtape_live_[0-9A-Za-z]{36}$/);
    expect(token).to.match(/^itemtape_pat_[0-9A-Za-z]{36}$/);
    expect(token.slice(-6)).to.equal(key.slice(-6));
    expect(composeKey("project", "0".repeat(30)).slice(-6)).to.equal("2C8GjS");
  });

  for (const [name, header] of accepted) {
    it(`reads a key from a header: ${name}`, () => expect(keyOfHeader(header)).to.equal(header.slice(7)));
  }

  describe("malformed credentials", () => {
    const remote = new NodesCredentials({
      byHash() {
        throw new Error("somebody looked");
      },
    });
    let world: World;
    before(() => {
      world = new World();
      world.reader.$client.close();
    });
    after(() => world.close());

    for (const [name, header] of refused) {
      it(`refuses the key as invalid_api_key without a store lookup: ${name}`, async () => {
        for (const credentials of [world.credentials, remote] as Identifies[])
          expect((await failureOf(() => credentials.identify(header, noon))).code).to.equal("invalid_api_key");
      });
    }
  });
});

onEachStore("caller", (world) => {
  let person: Person;
  beforeEach(async () => {
    person = await world.person("builder");
  });

  it("has the account of its key, with the month's usage", async () => {
    await world.setMonthUsed(person, 7);
    expect(await world.identify(person)).to.deep.equal({
      accountId: person.accountId,
      keyId: person.keyId,
      kind: "project",
      scopes: ["market:read"],
      plan: "builder",
      planEndsAt: null,
      monthUsed: 7,
    });
  });

  it("has the usage of the request's own month, to the millisecond", async () => {
    await world.setMonthUsed(person, 5, "2026-01");
    await world.setMonthUsed(person, 9, "2026-02");
    const february = Date.UTC(2026, 1, 1);
    expect((await world.identify(person, february - 1)).monthUsed).to.equal(5);
    expect((await world.identify(person, february)).monthUsed).to.equal(9);
    expect((await world.identify(person, february - 1)).monthUsed).to.equal(5);
  });

  it("is refused as invalid_api_key with a well-formed unknown key", async () => {
    const failure = await failureOf(() => world.identify({ secret: composeKey("project", secret) }));
    expect(failure.code).to.equal("invalid_api_key");
  });

  it("cannot turn a project key into a personal token by its prefix", async () => {
    const changed = person.secret.replace("_live_", "_pat_");
    expect((await failureOf(() => world.identify({ secret: changed }))).code).to.equal("invalid_api_key");
  });

  it("is refused as revoked at once, even with an expired key", async () => {
    await world.keys.revoke(person.keyId);
    expect((await failureOf(() => world.identify(person))).code).to.equal("revoked_api_key");
    expect((await failureOf(() => world.identify(person, noon + 90 * dayMs))).code).to.equal("revoked_api_key");
  });

  it("is refused for a revoked key before a disabled account", async () => {
    await world.accounts.disable(person.accountId);
    expect((await failureOf(() => world.identify(person))).code).to.equal("account_disabled");
    await world.keys.revoke(person.keyId);
    expect((await failureOf(() => world.identify(person))).code).to.equal("revoked_api_key");
  });
});
