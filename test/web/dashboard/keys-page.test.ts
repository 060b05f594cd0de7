import { expect } from "chai";
import { plantKeys } from "../../support/plant-keys.ts";
import { OwnerWorld, type Visitor } from "./owner-world.ts";
import { keyNames } from "./person.ts";

describe("owner's key page", () => {
  let ann: OwnerWorld;
  let visitor: Visitor;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true });
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
    const found = [...text.matchAll(/<h3>(\w+) <span/g)].map(([, name]) => name!);
    return {
      live: found.filter((name) => !name.startsWith("ended")),
      ended: found.filter((name) => name.startsWith("ended")),
      links: [...text.matchAll(/href="([^"]*(?:ended|page)=[^"]*)" rel="(\w+)"/g)].map(([, href, rel]) => [rel, href]),
    };
  };
  const names = (name: string, from: number, until: number) =>
    Array.from({ length: until - from + 1 }, (_, index) => `${name}${from + index}`);

  it("lists active keys by twenty and ended ones by fifty, newest first", async () => {
    const path = "/dashboard/keys";
    expect(await shown(path)).to.deep.equal({
      live: names("live", 1, 20),
      ended: names("ended", 1, 50),
      links: [
        ["next", "/dashboard/keys?page=2#active"],
        ["next", "/dashboard/keys?ended=2#ended"],
      ],
    });
    expect((await shown(`${path}?page=5`)).live).to.deep.equal([...names("live", 81, 99), "test"]);
    expect((await shown(`${path}?page=77`)).live).to.deep.equal([...names("live", 81, 99), "test"]);
    const second = await shown(`${path}?ended=2`);
    expect(second.ended).to.deep.equal(names("ended", 51, 100));
    expect(second.links.slice(1)).to.deep.equal([
      ["prev", "/dashboard/keys?ended=1#ended"],
      ["next", "/dashboard/keys?ended=3#ended"],
    ]);
    expect((await shown(`${path}?ended=3`)).ended).to.deep.equal(names("ended", 101, 120));
    expect((await shown(`${path}?ended=4`)).ended).to.deep.equal([]);
    for (const wrong of ["0", "-1", "x", "1e3", "9999999"]) {
      expect((await shown(`${path}?ended=${wrong}`)).ended, wrong).to.deep.equal(names("ended", 1, 50));
    }
  });

  it("finds an active key by name, end of secret or id", async () => {
    const { keyId, display } = ann.account.key;
    const path = "/dashboard/keys?q=";
    for (const text of [keyId, display.slice(-4)]) {
      expect((await shown(`${path}${encodeURIComponent(text)}`)).live, text).to.deep.equal(["test"]);
    }
    expect((await shown(`${path}LIVE9`)).live).to.deep.equal(["live9", ...names("live", 90, 99)]);
    const many = await shown(`${path}live&page=2`);
    expect(many.live).to.deep.equal(names("live", 21, 40));
    expect(many.links[1]).to.deep.equal(["next", "/dashboard/keys?q=live&#38;page=3#active"]);
    const kept = "/dashboard/keys?q=live&#38;page=";
    expect(
      (await shown(`${path}live&page=2&ended=2`)).links,
      "each list's pages leave the other list as it is",
    ).to.deep.equal([
      ["prev", `${kept}1&#38;ended=2#active`],
      ["next", `${kept}3&#38;ended=2#active`],
      ["prev", `${kept}2&#38;ended=1#ended`],
      ["next", `${kept}2&#38;ended=3#ended`],
    ]);
    expect((await shown(`${path}none+such`)).live).to.deep.equal([]);
    expect((await visitor.get(`${path}<i>`)).text).to.contain("<strong>&#60;i&#62;</strong>");
  });

  it("shows the UTC day of a key's latest charged request, if any", async () => {
    const cardOf = async () => {
      const { text } = await visitor.get(`/dashboard/keys?q=${ann.account.key.keyId}`);
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

  it("shows secret end, use, expiry and actions per row, folding other facts", async () => {
    const { text } = await visitor.get("/dashboard/keys?q=live1");
    const rows = text.split('<li class="card key"').slice(1);
    expect(rows).to.have.length.above(5);
    for (const row of rows.filter((one) => one.includes('data-state="active"'))) {
      expect(row).to.match(/<details><summary><h3>live\d+ <span class="tag active">active<\/span><\/h3>/);
      expect(row).to.match(
        /<code>[^<]+<\/code> · never used · expires <time datetime="[^"]+">[^<]+ UTC<\/time><\/span><\/summary>/,
      );
      const [, unfolded = ""] = row.split("</details>");
      expect(unfolded).to.match(/\/rotate">Rotate.*\/revoke">Revoke/);
    }
  });

  it("leads from a search with a single key back to all", async () => {
    const bob = await OwnerWorld.start({ fewItems: true });
    const { text } = await (await bob.signedIn()).get("/dashboard/keys?q=test");
    await bob.world.stop();
    expect(text).to.include('<a href="/dashboard/keys">All keys</a>').and.include('value="test"');
  });

  it("asks an owner of a hundred active keys to revoke one", async () => {
    const { text } = await visitor.get("/dashboard/keys/new");
    const after = /name="after" value="([^"]*)"/.exec(text)?.[1] ?? "";
    const refused = await visitor.post("/dashboard/keys/new", { name: "more", days: "7", after });
    expect(refused.status).to.equal(409);
    expect(refused.text).to.contain("has 100 keys in use, the maximum; revoke one first.");
    expect(refused.text).to.contain('value="more"');
    expect(keyNames(ann)).to.not.contain("more");
  });
});
