import { expect } from "chai";
import { type RunningSandbox, runSandbox } from "./run.ts";

describe("a sandbox", () => {
  let sandbox: RunningSandbox;
  before(async function () {
    // The demo world is made here when this file is run first.
    this.timeout(180_000);
    sandbox = await runSandbox();
  });
  after(() => sandbox.close());

  const ask = (key: string, target = "/v1/items?limit=1", more: RequestInit = {}) =>
    fetch(`${sandbox.base}${target}`, { ...more, headers: { authorization: `Bearer ${key}`, ...more.headers } });

  it("plays the steps of a script on the requests of its key only", async () => {
    const key = await sandbox.scripted([
      { operation: "getItem", fault: "item_not_found" },
      { fault: "rate_limited", retry_after: 2 },
      "pass",
      { fault: "service_unavailable", retry_after: null, times: 2 },
    ]);
    const first = await ask(key.key);
    expect([first.status, first.headers.get("retry-after")]).to.deep.equal([429, "2"]);
    const statuses: number[] = [];
    for (const target of ["/v1/items?limit=1", "/v1/items/661", "/v1/items", "/v1/status", "/v1/items?limit=1"])
      statuses.push((await ask(key.key, target)).status);
    expect(statuses).to.deep.equal([200, 404, 503, 503, 200]);
    expect((await ask(sandbox.keys.builder)).status).to.equal(200);
    const journal = await sandbox.journal(key);
    expect(journal.map(({ operation, attempt, fault }) => [operation, attempt, fault])).to.deep.equal([
      ["listItems", 1, "rate_limited"],
      ["listItems", 2, null],
      ["getItem", 1, "item_not_found"],
      ["listItems", 3, "service_unavailable"],
      ["getStatus", 1, "service_unavailable"],
      ["listItems", 4, null],
    ]);
    expect(journal[0].headers).to.deep.include(["authorization", "Bearer [key]"]);
  });
});
