import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { faultsOf, schemaFaults } from "../../scripts/contract/answers.ts";
import { rowsDefault, structuredBytesMax, textBytesMax } from "../../src/agent/limits.ts";
import { contractTools } from "../../src/agent/server.ts";
import type { OperationId } from "../../src/contract/types.ts";
import { Stage } from "../contract/replay.ts";
import { callerAt } from "../contract/replay-portfolios.ts";
import { publishedMeanwhile, unreadableMeanwhile } from "../contract/replay-states.ts";
import { soundRequests } from "../contract/replay-table.ts";
import { agentOf, argumentsOf, callTool, notes, textOf } from "./agent-world.ts";

describe("agent adapter calls", () => {
  let stage: Stage;
  let project: Client;
  let owner: Client;
  const { tools } = contractTools();

  before(async () => {
    stage = await Stage.start();
    const { world } = stage;
    project = await agentOf(world.base, world.account("builder").secret);
    owner = await agentOf(world.base, world.keys.builderToken);
  });
  after(async () => {
    await project.close();
    await owner.close();
    await stage.world.stop();
  });

  const clientFor = (id: OperationId) => (callerAt(id, "builder") === "portfolioToken" ? owner : project);
  const soundCall = (id: OperationId) => {
    const given = argumentsOf(id, soundRequests(stage.subjects)[id]);
    return callTool(clientFor(id), id, given);
  };

  for (const id of [...tools.keys()] as OperationId[]) {
    it(`${id} answers with all documented fields and reports its stated cost`, async () => {
      const { view } = tools.get(id)!;
      const before = stage.world.charged();
      const given = argumentsOf(id, soundRequests(stage.subjects)[id]);
      const result = await callTool(clientFor(id), id, view.facts.isStream ? given : { ...given, fields: ["all"] });
      expect(result.isError, textOf(result)).to.not.equal(true);
      if (!view.facts.isStream) {
        const { request_id } = result.structuredContent!.meta as { request_id: string };
        const headers = new Headers({ "content-type": "application/json", "x-request-id": request_id });
        const answer = { status: 200, headers, text: JSON.stringify(result.structuredContent) };
        expect(faultsOf(id, answer).filter((fault) => !fault.includes(": header "))).to.deep.equal([]);
      }
      const after = stage.world.charged();
      expect(after.units - before.units).to.equal(view.facts.cost);
      expect(after.events - before.events).to.equal(view.facts.cost);
      const text = textOf(result);
      expect(text).to.match(new RegExp(`^${id}(?: \\(valuation_mode (?:steam_gross|cash_ask)\\))?: `));
      expect(text).to.match(view.facts.cost === 0 ? /^Cost nothing; /m : /^Cost 1 unit; /m);
      const { request_id } = result.structuredContent!.meta as { request_id: string };
      expect(text).to.include(request_id);
    });
  }

  it("keep the longest demo lists within the row and byte limits", async () => {
    for (const [id, { rows }] of tools) {
      if (rows === null) continue;
      const given = argumentsOf(id as OperationId, soundRequests(stage.subjects)[id as OperationId]);
      const result = await callTool(clientFor(id as OperationId), id, { ...given, limit: rows.most });
      expect(result.isError, textOf(result)).to.not.equal(true);
      const { data, rows_left_out: left } = result.structuredContent as { data: object[]; rows_left_out?: number };
      expect(data.length, id).to.be.at.most(rows.most);
      expect(left, id).to.equal(undefined);
      expect(Buffer.byteLength(JSON.stringify(result.structuredContent)), id).to.be.below(structuredBytesMax / 4);
      expect(Buffer.byteLength(textOf(result)), id).to.be.at.most(textBytesMax);
      expect(textOf(result), id).not.to.include("do not fit");
    }
  });

  it("return the default rows without `limit`", async () => {
    const { structuredContent } = await callTool(project, "listItems");
    expect(structuredContent!.data).to.have.length(rowsDefault);
  });

  it("return the API's own envelope when all fields are requested", async () => {
    const given = { item_id: stage.subjects.phased, fields: ["all"] };
    const { structuredContent } = await callTool(project, "getMarketPrices", given);
    expect(schemaFaults("MarketPricesEnvelope", structuredContent)).to.deep.equal([]);
  });

  it("answer an export with the facts of the published generation", async () => {
    const { structuredContent } = await soundCall("streamMarketSnapshot");
    const { data } = structuredContent as { data: Record<string, unknown> & { head: object[] } };
    const generation = await callTool(project, "getGeneration", { generation: data.generation });
    const published = (generation.structuredContent as { data: Record<string, unknown> }).data;
    expect(data.digest).to.equal(published.digest);
    expect(data.digest_bytes).to.equal(published.bytes);
    expect(data.available).to.equal(published.items);
    expect(data.items).to.equal(Number(data.available) + Number(data.missing));
    expect(data.head).to.have.length(25);
  });

  it("answer a failing export with only the failure and its cost", async () => {
    const account = stage.world.account("builder");
    const client = await agentOf(stage.world.base, account.secret);
    for (const [state, code] of [
      [publishedMeanwhile, "export_changed"],
      [unreadableMeanwhile, "export_interrupted"],
    ] as const) {
      const undo = await state(stage.world, account);
      const result = await callTool(client, "streamMarketSnapshot");
      await undo();
      expect(textOf(result)).to.match(new RegExp(`^streamMarketSnapshot failed: ${code}\\n`));
      expect(textOf(result)).to.include("counts as a start");
      expect(result.structuredContent).to.equal(undefined);
    }
    await client.close();
  });

  it("show every row to a text reader who follows the cursors", async () => {
    const ids: number[] = [];
    const given: Record<string, unknown> = { q: "doppler", limit: tools.get("listItems")!.rows!.most };
    for (let page = 0; page < 40; page += 1) {
      const result = await callTool(project, "listItems", given);
      const lines = textOf(result).split("\n");
      const table = lines.slice(lines.findIndex((line) => line.startsWith("item_id\t")) + 1);
      ids.push(...table.map((line) => Number(line.split("\t")[0])));
      const next = /call listItems again with the same arguments and cursor=(\d+)/.exec(textOf(result))?.[1];
      if (next === undefined) {
        expect(textOf(result)).to.include("this is the last page");
        break;
      }
      given.cursor = Number(next);
    }
    const [row] = stage.world.sql(
      "SELECT count(*) AS items FROM items WHERE market_hash_name LIKE '%doppler%' AND in_catalog",
    );
    expect(ids).to.have.length(Number(row?.items));
    expect(ids).to.deep.equal([...new Set(ids)].sort((a, b) => a - b));
  });

  it("follow a series to its end by the stated cursors", async () => {
    const seen: string[] = [];
    const given: Record<string, unknown> = { item_id: stage.subjects.plain, from: "2026-01-12" };
    for (let after: string | undefined = ""; after !== undefined; ) {
      const result = await callTool(project, "getHourlyPriceHistory", given);
      const { data } = result.structuredContent as { data: { ts: string; provider: string }[] };
      seen.push(...data.map(({ ts, provider }) => `${ts} ${provider}`));
      after = /with the same arguments and after=(\S+)/.exec(textOf(result))?.[1];
      given.after = after;
    }
    expect(seen.length).to.be.above(2 * rowsDefault);
    expect(seen).to.deep.equal([...new Set(seen)].sort());
  });

  it("state gaps, unknown times, nulls and the remaining allowance in text", async () => {
    const { vanishing } = stage.subjects;
    const day = { from: "2026-01-14", to: "2026-01-14", provider: "steam", limit: 25 };
    const hourly = textOf(await callTool(project, "getHourlyPriceHistory", { item_id: vanishing, ...day }));
    expect(hourly).to.match(/, one point an hour; gaps: 3 of 24 hours absent: /);
    expect(hourly).to.include("A missing point is not a zero.");
    expect(hourly).to.match(/^availability: .*item_missing 4/m);
    expect(hourly).to.match(/^null \(unknown or absent; never 0\): .*amount 4 of 21/m);
    expect(hourly).to.include(
      "Prices are observed offers and buy orders in USD cents. Sales, their volumes and fees are not stored.",
    );
    expect(hourly).to.match(/^In every row: .*kind=hourly_cached_quote/m);
    expect(hourly).to.match(/^Cost 1 unit; left: \d+ units of the month, \d+ calls of this minute; request_id req_/m);
    const prices = textOf(await callTool(project, "getMarketPrices", { item_id: vanishing }));
    expect(prices).to.include("freshness unknown: when it was observed is not known");
    expect(prices).to.include("a quote's `as_of` gives its age.");
  });

  it("state that an empty list is not a zero", async () => {
    const text = textOf(await callTool(project, "listItems", { q: "zzzzzz" }));
    expect(text).to.include("no rows. Nothing is stored or observed for this; that is not a zero.");
  });

  it("serve contract and codes as resources without a charge", async () => {
    const before = stage.world.charged();
    const { resources } = await project.listResources();
    expect(resources.map(({ name }) => name)).to.deep.equal(["openapi.json", "problems"]);
    const [document] = (await project.readResource({ uri: resources[0]!.uri })).contents as { text: string }[];
    expect(JSON.parse(document!.text).servers.map(({ url }: { url: string }) => url)).to.deep.equal([stage.world.base]);
    const [codes] = (await project.readResource({ uri: resources[1]!.uri })).contents as { text: string }[];
    expect(codes?.text).to.match(/^401 invalid_api_key: /m);
    expect(stage.world.charged()).to.deep.equal(before);
  });

  it("log no unexpected failure in adapter or service", () => {
    expect(notes).to.deep.equal([]);
    // The only internal error is from the export with an unreadable file.
    expect(stage.world.internalErrors).to.equal(1);
  });
});
