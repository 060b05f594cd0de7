import type { CallToolResult } from "@modelcontextprotocol/server";
import type { FoundItem } from "../client/find-items.ts";
import { ExportError, ItemtapeError, TransportError } from "../client/index.ts";
import { displayText } from "../values/text/display-text.ts";

const detailCharsMax = 1000;

/** A failed call, for a reader and (in `_meta`) for a program. `code` is a code of the contract if the API refused. */
export type Refused = {
  code: string;
  status: number | null;
  detail: string;
  requestId: string | null;
  retryAfterMs: number | null;
  /** Next step for the caller. */
  advice: string;
};

/** The source of the adapter's credential, for advice. `address` is the API's address, null if callers must not see it. */
export type AdapterContext = { keySource: string; address: string | null };

/** Returns the result of a failed call. It has no structured part, because that part must conform to the tool's output schema. */
export function refusalResult(operationId: string, refused: Refused, notes: readonly string[] = []): CallToolResult {
  const { code, status, detail, requestId, retryAfterMs, advice } = refused;
  const lines = [
    `${operationId} failed: ${displayText(code)}${status === null ? "" : ` (HTTP ${status})`}`,
    `detail: ${displayText(detail, detailCharsMax)}`,
    ...(requestId === null ? [] : [`request_id: ${displayText(requestId)}`]),
    ...(retryAfterMs === null ? [] : [`retry after: ${Math.ceil(retryAfterMs / 1000)} s`]),
    ...notes,
    advice,
  ];
  return {
    isError: true,
    content: [{ type: "text", text: lines.join("\n") }],
    _meta: { "itemtape/refusal": { code, status, detail, request_id: requestId, retry_after_ms: retryAfterMs } },
  };
}

/** The facts of a failure without a response of the API. */
export const unanswered = { status: null, requestId: null, retryAfterMs: null } as const;

/** Builds the refusal of arguments that violate the tool's schema. Nothing was sent. */
export function wrongArguments(faults: readonly string[]): Refused {
  return {
    ...unanswered,
    code: "invalid_arguments",
    detail: `${faults.join("; ")}.`,
    advice: "Nothing was sent or charged. Call again with arguments that match the tool's input schema.",
  };
}

const candidatesMax = 10;

/** Reports a name that does not match exactly one item. */
export class WrongName extends Error {
  constructor(items: readonly FoundItem[]) {
    const named = items.map(
      ({ item_id, market_hash_name, phase }) => `${item_id} ${market_hash_name}${phase === null ? "" : `, ${phase}`}`,
    );
    const more = items.length > candidatesMax ? " and others" : "";
    super(
      items.length === 0
        ? "`name`: no item has this name"
        : `\`name\` may mean ${named.slice(0, candidatesMax).join("; ")}${more}`,
    );
  }
}

/** Returns the failed call for an error of the client, null for other errors. */
export function refusedBy(error: unknown, adapterContext: AdapterContext): Refused | null {
  if (error instanceof ItemtapeError) return refusedByServer(error, adapterContext);
  if (error instanceof ExportError) {
    return {
      ...unanswered,
      code: `export_${error.reason}`,
      requestId: error.requestId,
      detail: error.message,
      advice: "The export began and failed, so it counts as a start; discard its data. Try again later, not in a loop.",
    };
  }
  if (error instanceof WrongName) {
    const { message: detail } = error;
    return {
      ...unanswered,
      code: "invalid_arguments",
      detail,
      advice: "Call again with an `item_id`, or search with `findPrices`.",
    };
  }
  // The client checks rules that the schema cannot express, such as a key in a URL. Its error names the parameter.
  if (error instanceof TypeError && error.message.includes("parameter `")) return wrongArguments([error.message]);
  if (!(error instanceof TransportError)) return null;
  const detail =
    adapterContext.address !== null ? error.message : "the service behind this adapter gave no usable answer";
  return {
    ...unanswered,
    code: `no_answer_${error.reason}`,
    detail,
    advice: "The service did not answer. Try again later; a unit may have been charged.",
  };
}

function refusedByServer(error: ItemtapeError, { keySource }: AdapterContext): Refused {
  const { code, status, detail, message, requestId, retryAfterMs } = error;
  return {
    code: code ?? "no_problem_record",
    status,
    requestId,
    retryAfterMs,
    detail: detail ?? error.problem?.title ?? message,
    advice: `${adviceFor(error, keySource)} ${costText(code, status)}`,
  };
}

function adviceFor({ code, status, retryAfterMs }: ItemtapeError, keySource: string): string {
  if (code === "monthly_quota_exceeded")
    return "The month's units are used up: do not call again before the next month.";
  if (code === "endpoint_not_found") return "This service does not have the operation: do not repeat the call.";
  if (status === 401) return `Stop calling: the key is missing or not valid. The adapter reads it from ${keySource}.`;
  if (status === 403) return "The key or its plan does not allow this: do not repeat the call.";
  if (status === 404) return "It does not exist or may not be read: do not repeat the call.";
  if (status === 429) return `Wait ${retryAfterMs === null ? "a minute" : "as long as it asks"}, then call once more.`;
  if (status > 500) return "Try a few more times, waiting longer each time.";
  return "Do not repeat the call unchanged.";
}

/** Describes the cost of a failed call by the contract. A response outside of the contract may be from a proxy, so its cost is unknown. */
function costText(code: string | null, status: number): string {
  if (code === null || status >= 500) return "A unit may have been charged; `getUsage` shows it.";
  if (status === 404 && code !== "endpoint_not_found") return "A unit was charged if the tool costs one.";
  return "Nothing was charged.";
}
