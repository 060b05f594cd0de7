import { expect } from "chai";
import { plantKeys } from "../../support/plant-keys.ts";
import { OwnerWorld, type Visitor } from "./owner-world.ts";
import { keyNames } from "./person.ts";

describe("the page of an owner's keys", () => {
  let ann: OwnerWorld;
  let visitor: Visitor;
  before(async () => {
    ann = await OwnerWorld.start();
    const { world, account } = ann;
    world.clock.advance(1000);
    const plant = (count: number, name: string) =>
      world.change((database) => plantKeys(database, account.accountId, count, name, world.clock.at));
    plant(120, "ended");
    world.sql("UPDATE api_keys SET revoked_at = ? WHERE name LIKE 'ended%'", world.clock.at);
    plant(99, "live");
    visitor = await ann.signedIn();
  });
  after(() => ann.world.stop());

  const shown = async (path: string) => {
    const { text } = await visitor.get(path);
    const names = [...text.matchAll(/<h3>(\w+) <span/g)].map(([, name]) => name!);
    return {
      live: names.filter((name) => !name.startsWith("ended")).length,
      ended: names.filter((name) => name.startsWith("ended")),
      links: [...text.matchAll(/href="([^"]*ended=[^"]*)" rel="(\w+)"/g)].map(([, href, rel]) => [rel, href]),
    };
  };
  const ended = (from: number, until: number) =>
    Array.from({ length: until - from + 1 }, (_, index) => `ended${from + index}`);

  it("the page of keys shows each key in use on each page, and those that have ended fifty by fifty", async () => {
    const path = "/dashboard/keys";
    expect(await shown(path)).to.deep.equal({
      live: 100,
      ended: ended(1, 50),
      links: [["next", "/dashboard/keys?ended=2#ended"]],
    });
    expect(await shown(`${path}?ended=2`)).to.deep.equal({
      live: 100,
      ended: ended(51, 100),
      links: [
        ["prev", "/dashboard/keys?ended=1#ended"],
        ["next", "/dashboard/keys?ended=3#ended"],
      ],
    });
    expect((await shown(`${path}?ended=3`)).ended).to.deep.equal(ended(101, 120));
    expect((await shown(`${path}?ended=4`)).ended).to.deep.equal([]);
    for (const wrong of ["0", "-1", "x", "1e3", "9999999"]) {
      expect((await shown(`${path}?ended=${wrong}`)).ended, wrong).to.deep.equal(ended(1, 50));
    }
  });

  it("the page of keys shows the UTC day of a key's latest charged request, and says where there was none", async () => {
    const cardOf = async () => {
      const { text } = await visitor.get("/dashboard/keys");
      return text.split(`data-key="${ann.account.key.keyId}"`)[1]?.split("</li>")[0] ?? "";
    };
    expect(await cardOf()).to.include("<dt>Last used</dt><dd>no request charged yet</dd>");
    expect(await cardOf()).to.include("<dt>Requests this month</dt><dd>0</dd>");
    await ann.world.client.call("getItem", { key: ann.account.secret, path: { item_id: 95 } });
    expect(await cardOf()).to.match(/<dt>Last used<\/dt><dd>\d{1,2} \w{3} 20\d\d \(UTC\)<\/dd>/);
    // A count is shown until it is half a minute old.
    ann.world.clock.advance(31_000);
    expect(await cardOf()).to.include("<dt>Requests this month</dt><dd>1</dd>");
  });

  it("an owner with a hundred keys in use is asked to revoke one, and none is created", async () => {
    const { text } = await visitor.get("/dashboard/keys/new");
    const after = /name="after" value="([^"]*)"/.exec(text)?.[1] ?? "";
    const refused = await visitor.post("/dashboard/keys/new", { name: "more", days: "7", after });
    expect(refused.status).to.equal(409);
    expect(refused.text).to.contain("has 100 keys in use, and there can be no more; revoke one first.");
    expect(refused.text).to.contain('value="more"');
    expect(keyNames(ann)).to.not.contain("more");
  });
});
