import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Caller } from "../client/calls.ts";
import { findItems, type ItemFilters, suggestSearches } from "../client/find-items.ts";
import type { CallOptions, ExportProgress, Itemtape, RetryPolicy } from "../client/index.ts";
import { displayText } from "../values/text/display-text.ts";
import { perhaps } from "../values/text/suggestion.ts";
import { answerOf, type ToolAnswer } from "./answer.ts";
import { type ArgumentOwners, ignoredText } from "./arguments.ts";
import { shownPart } from "./columns.ts";
import { type Node, node } from "./contract-view.ts";
import { unitsText } from "./descriptions.ts";
import { exportFacts } from "./export.ts";
import { CountedCalls, findPrices, findPricesName, likelierTexts, readFindPrices } from "./find-prices.ts";
import {
  type AdapterContext,
  type Refused,
  refusalResult,
  refusedBy,
  unanswered,
  WrongName,
  wrongArguments,
} from "./refusal.ts";
import type { AgentTool } from "./tools.ts";

/** Retries of the adapter's client. A long wait is returned to the caller instead of waited for. */
export const agentRetry: RetryPolicy = { attemptsMax: 2, totalMs: 40_000, answerMs: 30_000, waitMsMax: 2_000 };

export type AgentParts = {
  tools: ReadonlyMap<string, AgentTool>;
  owners: ArgumentOwners;
  /** A client with the caller's key, or without a key. */
  client: Itemtape;
  adapterContext: AdapterContext;
  /** Reports an unexpected failure to the operator, without any key. */
  note(text: string): void;
};

type CallContext = { signal: AbortSignal; onProgress?: ((progress: ExportProgress) => void) | undefined };

/** Calls operations of the API for one caller. */
export class Agent {
  readonly #parts: AgentParts;
  readonly #inProgress = new Set<Promise<unknown>>();

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /** Calls one tool. A refusal is returned as a result. */
  call(tool: AgentTool, given: Node, context: CallContext): Promise<CallToolResult> {
    return this.#running(this.#call(tool, given, context));
  }

  /** Calls the tool that finds prices by name. */
  findPrices(given: Node, { signal }: CallContext): Promise<CallToolResult> {
    return this.#running(this.#findPrices(given, signal));
  }

  #running(running: Promise<CallToolResult>): Promise<CallToolResult> {
    this.#inProgress.add(running);
    void running.catch(() => undefined).finally(() => this.#inProgress.delete(running));
    return running;
  }

  /** Resolves when no call is in progress. */
  async idle(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.allSettled(this.#inProgress);
  }

  async #call(tool: AgentTool, written: Node, context: CallContext): Promise<CallToolResult> {
    const { operationId, facts } = tool.view;
    const { given, ignored, faults } = tool.check.read(written, this.#parts.owners);
    const notes = ignoredText(ignored);
    if (faults.length > 0) return refusalResult(operationId, wrongArguments(faults), notes);
    const calls = new CountedCalls(this.#parts.client);
    try {
      const answer = facts.isStream
        ? await exportFacts(this.#parts.client, context)
        : await this.#read(tool, calls, given, context);
      return answerOf(tool, { ...answer, notes: [...notes, ...(answer.notes ?? [])] });
    } catch (error) {
      if (context.signal.aborted) throw error;
      const refused = await withProviders(this.#parts.client, this.#refused(error, calls), given.provider, context);
      return refusalResult(operationId, refused, notes);
    }
  }

  async #findPrices(written: Node, signal: AbortSignal): Promise<CallToolResult> {
    const { given, ignored, faults } = readFindPrices(written, this.#parts.owners);
    const notes = ignoredText(ignored);
    if (faults.length > 0) return refusalResult(findPricesName, wrongArguments(faults), notes);
    const calls = new CountedCalls(this.#parts.client);
    try {
      return await findPrices(calls, given, notes, { signal });
    } catch (error) {
      if (signal.aborted) throw error;
      return refusalResult(findPricesName, this.#refused(error, calls), notes);
    }
  }

  /** Returns the refusal for an error, with the units of the requests before it. */
  #refused(error: unknown, { units }: CountedCalls): Refused {
    const refused = refusedBy(error, this.#parts.adapterContext) ?? this.#unexpected(error);
    const spent = units === 0 ? "" : ` The earlier requests cost ${unitsText(units)}.`;
    return { ...refused, advice: `${refused.advice}${spent}` };
  }

  async #read(
    tool: AgentTool,
    calls: CountedCalls,
    { fields = null, ...asked }: Node,
    { signal }: CallContext,
  ): Promise<ToolAnswer> {
    const { operationId } = tool.view;
    const { given, told } = await itemNamed(calls, tool, asked, { signal });
    const params = tool.rows === null ? given : { limit: tool.rows.byDefault, ...given };
    // The operation is known only at run time, so its types cannot be checked here.
    const answer = await this.#parts.client.call(operationId as "getItem", params as { item_id: number }, { signal });
    const { data, hidden } = shownPart(operationId, answer.data, fields as readonly string[] | null);
    const hints = operationId === "listItems" ? await hintsOf(calls, answer.data, given, signal) : [];
    const { read_as: readAs } = node(answer.meta);
    if (typeof readAs === "string") hints.unshift(`No item has all words; read as \`${readAs}\`.`);
    if (operationId === "listItems" && hasNoAsks(answer.data)) hints.push(noAsks);
    return {
      ...answer,
      data,
      hidden: fields === null ? hidden : [],
      meta: node(answer.meta),
      mode: modeOf(tool, given),
      units: tool.view.facts.cost + calls.units,
      notes: [...told, ...hints].map((line) => displayText(line)),
      // The response's allowance does not include the later requests for hints, so it is omitted.
      ...(operationId === "listItems" && calls.units > 0 && { allowance: null }),
    };
  }

  #unexpected(error: unknown): Refused {
    this.#parts.note(`itemtape mcp: unexpected failure: ${(error as Error).stack ?? String(error)}`);
    return {
      ...unanswered,
      code: "adapter_failure",
      detail: "the adapter failed",
      advice: "Do not repeat the call. The adapter's standard error shows its operator the cause.",
    };
  }
}

/**
 * Replaces `name` by the item's id. Also returns a line about the match.
 * @throws {WrongName} unless `name` matches exactly one item
 */
async function itemNamed(
  calls: Caller,
  tool: AgentTool,
  asked: Node,
  call: CallOptions,
): Promise<{ given: Node; told: string[] }> {
  if (!tool.takesName || asked.name === undefined) return { given: asked, told: [] };
  const { name, ...given } = asked;
  const { items, one } = await findItems(calls, String(name), call);
  if (one === null) throw new WrongName(items);
  const { item_id, market_hash_name, phase } = one;
  const called = `${market_hash_name}${phase === null ? "" : `, ${phase}`}`;
  return { given: { ...given, item_id }, told: [`item_id ${item_id}: ${called}`] };
}

/** An ask that the plan hides looks like a missing ask. */
const noAsks = "No row has an ask: none is offered, or the Free plan of the key hides them.";

function hasNoAsks(data: unknown): boolean {
  const rows = data as readonly { best_ask_cents: number | null }[];
  return rows.length > 0 && rows.every(({ best_ask_cents }) => best_ask_cents === null);
}

/** Returns hints for a search without rows. Returns an empty list if it has rows, or a cursor. */
async function hintsOf(
  calls: Caller,
  rows: unknown,
  { q, cursor, limit: _, ...filters }: Node,
  signal: AbortSignal,
): Promise<string[]> {
  if ((rows as readonly unknown[]).length > 0 || cursor !== undefined) return [];
  const likelier = likelierTexts(filters);
  return typeof q === "string"
    ? [...(await suggestSearches(calls, q, filters as ItemFilters, { signal })), ...likelier]
    : likelier;
}

/** Adds the known providers to the refusal of an unknown one. This costs a unit, which the advice mentions. */
async function withProviders(
  client: Itemtape,
  refused: Refused,
  provider: unknown,
  { signal }: CallContext,
): Promise<Refused> {
  if (refused.code !== "unknown_provider") return refused;
  try {
    const { data } = await client.call("listProviders", { limit: 100 }, { signal });
    const names = data.map((row) => row.provider);
    return {
      ...refused,
      detail: `unknown provider${perhaps(String(provider), names)}; the providers are ${names.join(", ")}`,
      advice: "Call again with one of these. The refusal cost nothing; the `listProviders` call after it cost 1 unit.",
    };
  } catch {
    return refused;
  }
}

/** Returns the valuation mode of a call, null if its operation has none. */
function modeOf({ view }: AgentTool, given: Node): string | null {
  const mode = view.arguments.find(({ name }) => name === "valuation_mode");
  if (mode === undefined) return null;
  return String(given.valuation_mode ?? mode.schema.default);
}
