import { systemClock } from "../../values/time/clock.ts";
import type { PermitRequest } from "../account-permits.ts";
import { type BatchReport, GroupCommitLedger } from "../ledger/group-commit.ts";
import type { BatchWriter, Charge, Charged, Ledger, LedgerReply, LedgerRequest } from "../ledger/ledger.ts";
import type { Plan } from "../plans.ts";

/**
 * A charge of a node. `isFree`: it costs no unit and counts only in the minute. `permit`: permit of a long-running request to acquire.
 * `cached`: plan and secret hash (hex) of a cached caller; the charge requires that both still match.
 */
export type NodesCharge = Charge & {
  isFree?: true;
  permit?: PermitRequest;
  cached?: { plan: Plan; secretHash: string };
};

/** One entry of a node's batch. `ofPermit`: it ends the permit of a long-running request, not an export's lease. */
export type NodesRequest = NodesCharge | (Extract<LedgerRequest, { kind: "end" }> & { ofPermit?: true });

/** `remainingInMinute`: requests left to the account in the minute, counted over all nodes. */
type NodesCharged = Charged & { remainingInMinute?: number };

/** A ledger that many nodes share, with the minutes and the permits of long-running requests. */
export interface SharedLedger extends Ledger {
  charge(charge: NodesCharge): Promise<NodesCharged>;
  /** Releases the permit of a long-running request if it is still held. */
  releasePermit(requestId: string, at: number): Promise<void>;
}

/** A writer that may lose the reply to a commit. Until the outcome is known, the commit is uncertain. */
export interface UncertainWriter extends BatchWriter {
  readonly isUncertain: boolean;
  /** Is called when a commit becomes uncertain. No other batch is committed until its outcome is known. */
  onUncertain?: () => void;
  /** Is called with the outcome of an uncertain commit, after its requests were refused. `replies` is null if nothing was written. */
  onOutcome?: (requests: readonly NodesRequest[], replies: readonly LedgerReply[] | null) => void;
  /** Is called before `close`. The writer then stops its queries for an uncertain commit at the next failure. */
  giveUp(): void;
}

/** `settled`: outcome of an uncertain commit, after its requests were refused. */
type NodesReport = BatchReport & { settled?: "charged" | "undone" };

/**
 * The ledger of a node. It refuses requests while a commit is uncertain. It releases permits and leases that a refused batch acquired all
 * the same.
 */
export class NodesLedger extends GroupCommitLedger implements SharedLedger {
  readonly #writer: UncertainWriter;
  readonly #onBatch: ((report: NodesReport) => void) | null;

  /** Pass null as `onBatch` to skip batch reports. */
  constructor(writer: UncertainWriter, onBatch: ((report: NodesReport) => void) | null = null) {
    super(writer, onBatch);
    this.#writer = writer;
    this.#onBatch = onBatch;
    writer.onUncertain = () => this.refuseWaiting();
    writer.onOutcome = (requests, replies) => this.#settled(requests, replies);
  }

  override charge(charge: NodesCharge): Promise<NodesCharged> {
    return super.charge(charge);
  }

  releasePermit(requestId: string, at: number): Promise<void> {
    const end: NodesRequest = { kind: "end", leaseId: requestId, how: "released", at, ofPermit: true };
    return this.ask(end, () => undefined);
  }

  override close(): Promise<void> {
    this.#writer.giveUp();
    return super.close();
  }

  protected override get accepts(): boolean {
    return super.accepts && !this.#writer.isUncertain;
  }

  protected override chargedIn(requests: readonly NodesRequest[], replies: readonly LedgerReply[]): NodesCharge[] {
    return super.chargedIn(requests, replies).filter(({ isFree }: NodesCharge) => isFree !== true);
  }

  /**
   * Handles the outcome of an uncertain commit after its requests were refused. Charged units stay charged, as failed attempts; permits and
   * leases are released.
   */
  #settled(requests: readonly NodesRequest[], replies: readonly LedgerReply[] | null): void {
    const charged = replies === null ? [] : this.chargedIn(requests, replies);
    this.#onBatch?.({
      requests: requests.length,
      charged: charged.map(({ operation }) => operation),
      duration_ms: 0,
      failure: null,
      settled: replies === null ? "undone" : "charged",
    });
    const at = systemClock.now();
    for (const { kind, permit, requestId } of charged) {
      if (permit === undefined && kind === "charge") continue;
      const given = permit === undefined ? this.endLease(requestId, "released", at) : this.releasePermit(requestId, at);
      // A permit or lease that cannot be released now expires by itself.
      given.catch(() => {});
    }
  }
}
