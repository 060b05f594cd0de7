import { type LedgerReply, ledgerRefusalCodes } from "./ledger.ts";

/** Replies of a batch as one flat array, `replyFields` numbers each: cheaper to receive from a thread than objects. */
export type EncodedReplies = Float64Array;

const replyFields = 4;
const charged = -1;
const ended = -2;

export function encodeReplies(replies: readonly LedgerReply[]): EncodedReplies {
  const encoded = new Float64Array(replies.length * replyFields);
  replies.forEach((reply, index) => {
    encoded.set(encodeReply(reply), index * replyFields);
  });
  return encoded;
}

/** Returns the outcome, then its figures; NaN stands for null. */
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

export function decodeReplies(encoded: EncodedReplies): LedgerReply[] {
  const replies: LedgerReply[] = [];
  for (let offset = 0; offset < encoded.length; offset += replyFields) {
    const [outcome = 0, first = 0, second = 0, third = 0] = encoded.subarray(offset, offset + replyFields);
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
  if (code === undefined) throw new Error(`the ledger thread sent the outcome ${outcome}`);
  return {
    kind: "refused",
    code,
    retryAfterS: Number.isNaN(first) ? null : first,
    month: Number.isNaN(second) ? null : { used: second, limit: third },
  };
}
