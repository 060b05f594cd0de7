import { expect } from "chai";
import type { Call } from "../support/client.ts";
import type { Account, World } from "../support/world.ts";
import { type Family, parseExposition } from "./exposition.ts";

export type Counts = Record<string, number>;
type Metrics = ReadonlyMap<string, Family>;

/** Sends requests of all kinds and records their results. */
export class Traffic {
  /** By `operation status`. */
  readonly answers: Counts = {};
  /** By code. */
  readonly refusals: Counts = {};
  accounts!: Record<"free" | "trader" | "builder", Account>;
  exportedItems = 0;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  async send(): Promise<void> {
    const world = this.#world;
    this.accounts = { free: world.account("free"), trader: world.account("trader"), builder: world.account("builder") };
    const [free, trader] = [this.accounts.free.secret, this.accounts.trader.secret];
    const item = { item_id: 95 };
    for (let count = 0; count < 21; count += 1) await this.#call("listItems", { key: free });
    for (let count = 0; count < 3; count += 1) await this.#call("getMarketPrices", { path: item, key: trader });
    await this.#call("getStatus");
    await this.#call("getUsage", { key: trader });
    await this.#call("getMarketPrices", { path: item });
    await this.#call("getMarketPrices", { path: item, key: free });
    await this.#call("getItem", { path: { item_id: 2_000_000_000 }, key: trader });
    await this.#call("listItems", { query: { limit: 0 }, key: trader });
    await this.#call("getPortfolio", { path: { portfolio_id: "pf_0000000000000000demo7" }, key: trader });
    await this.#call("streamMarketSnapshot", { key: trader });
    for (const target of ["/", "/live", "/ready", "/metrics", "/v1/nothing"]) {
      const { status, json } = await world.client.send({ method: "GET", target });
      expect(status, target).to.equal(target === "/" ? 200 : 404);
      this.#note("none", status, json?.code);
    }
  }

  async #call(operation: string, call: Call = {}): Promise<void> {
    const { status, json, records } = await this.#world.client.call(operation, call);
    this.exportedItems += records.filter(({ type }) => type === "item").length;
    this.#note(operation, status, json?.code);
  }

  #note(operation: string, status: number, code: string | undefined): void {
    const key = `${operation} ${status}`;
    this.answers[key] = (this.answers[key] ?? 0) + 1;
    if (code !== undefined) this.refusals[code] = (this.refusals[code] ?? 0) + 1;
  }
}

/** Reads the metrics of the listener at `port` as text. */
export async function metricsText(port: number | null): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect([answer.status, answer.headers.get("content-type")]).to.deep.equal([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  return await answer.text();
}

/** Reads the metrics of a world. */
export async function metricsOf(world: World): Promise<Metrics> {
  return parseExposition(await metricsText(world.app.opsPort));
}

function samplesOf(metrics: Metrics, name: string): Family["samples"] {
  const family = metrics.get(name);
  if (family === undefined) throw new Error(`there is no metric ${name}`);
  return family.samples;
}

/** Returns the values by the labels, with a space between. */
export function values(metrics: Metrics, name: string, ...labels: string[]): Counts {
  return Object.fromEntries(
    samplesOf(metrics, name).map((sample) => [labels.map((label) => sample.labels[label]).join(" "), sample.value]),
  );
}

/** Returns the sum over all labels. */
export function total(metrics: Metrics, name: string): number {
  return samplesOf(metrics, name).reduce((all, { value }) => all + value, 0);
}

/** Returns the sums or counts of a histogram, of all its labels. */
export function partOf(metrics: Metrics, name: string, part: "sum" | "count"): number {
  const own = samplesOf(metrics, name).filter((sample) => sample.name === `${name}_${part}`);
  return own.reduce((all, { value }) => all + value, 0);
}
