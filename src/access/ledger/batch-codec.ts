import { type LedgerReply, type LedgerRequest, ledgerRefusalCodes } from "./ledger.ts";

/** Requests as one flat array, `requestFields` values each: cheaper to hand to a thread than objects. */
export type RequestWire = (string | number)[];

/** Replies as one flat array, `replyFields` numbers each. */
export type ReplyWire = Float64Array;

const requestFields = 7;
const replyFields = 4;
const charged = -1;
const ended = -2;

export function encodeRequests(batch: readonly LedgerRequest[]): RequestWire {
  const wire: RequestWire = [];
  for (const request of batch) {
    if (request.kind === "end") wire.push("end", request.leaseId, request.how, "", "", "", request.at);
    else {
      const { kind, requestId, accountId, keyId, operation, plan, at } = request;
      wire.push(kind, requestId, accountId, keyId, operation, plan, at);
    }
  }
  return wire;
}

export function decodeRequests(wire: RequestWire): LedgerRequest[] {
  const batch: LedgerRequest[] = [];
  for (let at = 0; at < wire.length; at += requestFields) {
    batch.push(decodeRequest(wire.slice(at, at + requestFields)));
  }
  return batch;
}

function decodeRequest(fields: RequestWire): LedgerRequest {
  const [kind, id, second, keyId, operation, plan] = fields as string[];
  const at = fields[requestFields - 1] as number;
  if (kind === "end") return { kind, leaseId: id!, how: second as "finished" | "released", at };
  return {
    kind: kind as "charge" | "reserve",
    requestId: id!,
    accountId: second!,
    keyId: keyId!,
    operation: operation!,
    plan: plan as "free" | "paid",
    at,
  };
}

export function encodeReplies(replies: readonly LedgerReply[]): ReplyWire {
  const wire = new Float64Array(replies.length * replyFields);
  replies.forEach((reply, index) => {
    wire.set(encodeReply(reply), index * replyFields);
  });
  return wire;
}

/** The outcome, then its figures; NaN stands for null. */
function encodeReply(reply: LedgerReply): number[] {
  if (reply.kind === "charged") return [charged, reply.used, reply.limit, reply.expiresAt ?? Number.NaN];
  if (reply.kind === "ended") return [ended, reply.ended ? 1 : 0, 0, 0];
  const { code, retryAfterS, month } = reply;
  return [
    ledgerRefusalCodes.indexOf(code),
    retryAfterS ?? Number.NaN,
    month?.used ?? Number.NaN,
    month?.limit ?? Number.NaN,
  ];
}

export function decodeReplies(wire: ReplyWire): LedgerReply[] {
  const replies: LedgerReply[] = [];
  for (let at = 0; at < wire.length; at += replyFields) {
    const [outcome = 0, first = 0, second = 0, third = 0] = wire.subarray(at, at + replyFields);
    replies.push(decodeReply(outcome, first, second, third));
  }
  return replies;
}

function decodeReply(outcome: number, first: number, second: number, third: number): LedgerReply {
  if (outcome === charged) {
    return { kind: "charged", used: first, limit: second, expiresAt: Number.isNaN(third) ? null : third };
  }
  if (outcome === ended) return { kind: "ended", ended: first === 1 };
  const code = ledgerRefusalCodes[outcome];
  if (code === undefined) throw new Error(`the ledger's thread sent the outcome ${outcome}`);
  return {
    kind: "refused",
    code,
    retryAfterS: Number.isNaN(first) ? null : first,
    month: Number.isNaN(second) ? null : { used: second, limit: third },
  };
}
