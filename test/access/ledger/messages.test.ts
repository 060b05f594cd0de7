import { expect } from "chai";
import {
  type Charge,
  CommitFailure,
  decodeReplies,
  decodeRequests,
  encodeReplies,
  encodeRequests,
  type LedgerReply,
  type LedgerRequest,
} from "../../../src/access/ledger/ledger.ts";

const month = { used: 7, limit: 10_000 };
const replies: LedgerReply[] = [
  { kind: "charged", used: 1, limit: 1000, expiresAt: null },
  { kind: "charged", used: 0, limit: 1000, expiresAt: 1_790_000_000_123 },
  { kind: "ended", ended: true },
  { kind: "ended", ended: false },
  { kind: "refused", code: "invalid_api_key", retryAfterS: null, month: null },
  { kind: "refused", code: "expired_api_key", retryAfterS: null, month: null },
  { kind: "refused", code: "revoked_api_key", retryAfterS: null, month: null },
  { kind: "refused", code: "account_disabled", retryAfterS: null, month: null },
  { kind: "refused", code: "plan_upgrade_required", retryAfterS: null, month: null },
  { kind: "refused", code: "snapshot_busy", retryAfterS: 120, month },
  { kind: "refused", code: "snapshot_capacity", retryAfterS: 1, month: { used: 0, limit: 0 } },
  { kind: "refused", code: "snapshot_daily_limit", retryAfterS: 86_400, month },
  { kind: "refused", code: "changes_busy", retryAfterS: 120, month },
  { kind: "refused", code: "changes_capacity", retryAfterS: 119, month },
  { kind: "refused", code: "waiting_limit", retryAfterS: 41, month },
  { kind: "refused", code: "monthly_quota_exceeded", retryAfterS: 2_678_400, month: { used: 10_000, limit: 10_000 } },
  { kind: "refused", code: "service_unavailable", retryAfterS: 60, month: null },
];

const unit: Charge = {
  kind: "charge",
  requestId: "req_1",
  accountId: "acc_1",
  keyId: "key_1",
  operation: "getItem",
  plan: "free",
  at: 1_790_000_000_123,
};
const requests: LedgerRequest[] = [
  unit,
  { ...unit, kind: "reserve", requestId: "req_2" },
  { ...unit, plan: "paid", requestId: "req_3", accountId: "acc_2", keyId: "key_2", operation: "getMarketPrices" },
  { kind: "end", leaseId: "req_2", how: "finished", at: 1_790_000_000_124 },
  { ...unit, kind: "place", requestId: "req_4" },
  { ...unit, requestId: "req_6", session: null },
  { ...unit, requestId: "req_7", session: "00ff" },
  { ...unit, requestId: "req_10", at: 0 },
];

describe("messages with the ledger's thread", () => {
  it("every kind of request comes to the thread as it was, in the order of the batch", () => {
    const sent = (batch: readonly LedgerRequest[]) => decodeRequests(structuredClone(encodeRequests(batch)));
    expect(sent(requests)).to.deep.equal(requests);
    expect(sent(requests.toReversed())).to.deep.equal(requests.toReversed());
    expect(sent([])).to.deep.equal([]);
  });

  it("every kind of reply comes back from its numbers as it was, in the order of the batch", () => {
    expect(decodeReplies(encodeReplies(replies))).to.deep.equal(replies);
    expect(decodeReplies(encodeReplies(replies.toReversed()))).to.deep.equal(replies.toReversed());
    expect(decodeReplies(encodeReplies([]))).to.deep.equal([]);
  });

  it("numbers that stand for no reply are a fault, not a refusal", () => {
    for (const outcome of [-3, 14, 0.5])
      expect(() => decodeReplies(Float64Array.of(outcome, 0, 0, 0))).to.throw(`the outcome ${outcome}`);
  });

  it("a failed commit is fatal, refused or unexpected by SQLite's code, and keeps code and message", () => {
    const kindOf = (code?: unknown) => CommitFailure.from(Object.assign(new Error("it failed"), { code })).kind;
    for (const code of ["SQLITE_IOERR", "SQLITE_IOERR_WRITE", "SQLITE_CORRUPT", "SQLITE_CORRUPT_VTAB", "SQLITE_NOTADB"])
      expect(kindOf(code), code).to.equal("fatal");
    for (const code of ["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_FULL"])
      expect(kindOf(code), code).to.equal("refused");
    for (const code of ["SQLITE_CONSTRAINT", "ENOSPC", "", undefined, 5, "X_SQLITE_BUSY"])
      expect(kindOf(code), String(code)).to.equal("unexpected");
    const busy = CommitFailure.from(Object.assign(new Error("locked"), { code: "SQLITE_BUSY" }));
    expect([busy.name, busy.message]).to.deep.equal(["CommitFailure", "SQLITE_BUSY: locked"]);
    expect(CommitFailure.from(new Error("a fault")).message).to.equal("a fault");
    expect(CommitFailure.from("a text").message).to.equal("a text");
    expect(CommitFailure.from(busy)).to.equal(busy);
  });
});
