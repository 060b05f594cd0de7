import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { readPages } from "../support/paging.ts";
import { useWorld } from "../support/world.ts";

const operation = "listContractChanges";

describe("changelog over HTTP", () => {
  const world = useWorld({ fewItems: true });
  let key: string;
  before(() => {
    key = world.account("builder").secret;
  });

  const page = async (query: Record<string, string | number>) =>
    (await world.client.call(operation, { key, query })).json;
  const declared = (document as unknown as { "x-itemtape-changelog": { change_id: number }[] })["x-itemtape-changelog"];

  it("lists the changes of the served document, newest first", async () => {
    const { data, meta } = await page({ limit: 100 });
    expect(data).to.deep.equal(declared.toReversed());
    expect(meta.next_page).to.equal(null);
    const served = await world.client.send({ method: "GET", target: "/openapi.json" });
    expect(JSON.parse(served.text)["x-itemtape-changelog"]).to.deep.equal(declared);
  });

  it("returns each change once, even if a page ends at the last", async () => {
    for (const limit of [3, 10, declared.length]) {
      const { rows } = await readPages<{ change_id: number }>(async (query) => ({ json: await page(query) }), {
        limit,
      });
      expect(rows.map(({ change_id }) => change_id)).to.deep.equal(
        declared.map(({ change_id }) => change_id).toReversed(),
      );
    }
  });

  it("can be read on every plan for one unit", async () => {
    const { secret, accountId } = world.account("free");
    expect((await world.client.call(operation, { key: secret })).status).to.equal(200);
    expect(world.used(accountId)).to.equal(1);
  });
});
