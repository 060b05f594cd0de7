import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ExportProgress, Itemtape, RetryPolicy } from "../client/index.ts";
import { answerOf } from "./answer.ts";
import { isNode, node } from "./contract-view.ts";
import { exportFacts } from "./export.ts";
import { type Refused, refusalResult, refusedBy, type Surroundings, wrongArguments } from "./refusal.ts";
import type { AgentTool } from "./tools.ts";

/** Retries of the adapter's client. A long wait is returned to the caller instead of waited for. */
export const agentRetry: RetryPolicy = { attemptsMax: 2, totalMs: 40_000, answerMs: 30_000, waitMsMax: 2_000 };

export type AgentParts = {
  tools: ReadonlyMap<string, AgentTool>;
  /** A client with the caller's key, or with none. */
  client: Itemtape;
  surroundings: Surroundings;
  /** Reports an unexpected failure to the operator, without any key. */
  note(text: string): void;
};

type CallContext = { signal: AbortSignal; onProgress?: ((progress: ExportProgress) => void) | undefined };

/** Calls operations of the API for one caller. */
export class Agent {
  readonly #parts: AgentParts;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /** Calls one tool and returns its result; a refusal is a result. */
  call(tool: AgentTool, given: unknown, context: CallContext): Promise<CallToolResult> {
    const running = this.#call(tool, given, context);
    this.#underWay.add(running);
    void running.catch(() => undefined).finally(() => this.#underWay.delete(running));
    return running;
  }

  /** Resolves when no call is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  async #call(tool: AgentTool, given: unknown, context: CallContext): Promise<CallToolResult> {
    const { operationId, facts } = tool.view;
    if (!isNode(given)) return refusalResult(operationId, wrongArguments(["arguments must be an object"]));
    const faults = tool.check.faults(given);
    if (faults.length > 0) return refusalResult(operationId, wrongArguments(faults));
    const params = tool.rows === null ? given : { limit: tool.rows.byDefault, ...given };
    try {
      if (facts.isStream) return answerOf(tool, await exportFacts(this.#parts.client, context));
      const { client } = this.#parts;
      // Which operation it is, is known only now, so its types cannot be.
      const answer = await client.call(operationId as "getItem", params as { item_id: number }, {
        signal: context.signal,
      });
      return answerOf(tool, { ...answer, data: answer.data, meta: node(answer.meta) });
    } catch (error) {
      if (context.signal.aborted) throw error;
      return refusalResult(operationId, refusedBy(error, this.#parts.surroundings) ?? this.#unexpected(error));
    }
  }

  #unexpected(error: unknown): Refused {
    this.#parts.note(`itemtape mcp: unexpected failure: ${(error as Error).stack ?? String(error)}`);
    return {
      code: "adapter_failure",
      status: null,
      requestId: null,
      retryAfterMs: null,
      detail: "the adapter itself failed",
      advice: "Do not repeat the call. The operator of the adapter finds the cause on its standard error.",
    };
  }
}
