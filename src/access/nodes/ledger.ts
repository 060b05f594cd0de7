import { systemClock } from "../../values/time/clock.ts";
import type { PlaceRequest } from "../account-places.ts";
import { type BatchReport, GroupCommitLedger } from "../ledger/group-commit.ts";
import type { BatchWriter, Charge, Charged, Ledger, LedgerReply, LedgerRequest } from "../ledger/ledger.ts";
import type { Plan } from "../plans.ts";

/**
 * A charge as nodes send it. `isFree`: it costs no unit, and counts in the minute alone. `place`: the place of a long request that it takes.
 * `cached`: the plan and the hash (hex) of the secret of a cached caller, without which nothing is charged.
 */
export type NodesCharge = Charge & {
  isFree?: true;
  place?: PlaceRequest;
  cached?: { plan: Plan; secretHash: string };
};

/** One entry of a batch of a node. `ofPlace`: the end of a long request's place, not of an export's lease. */
export type NodesRequest = NodesCharge | (Extract<LedgerRequest, { kind: "end" }> & { ofPlace?: true });

/** `remainingInMinute`: requests left to the account in the minute, which all nodes count together. */
type NodesCharged = Charged & { remainingInMinute?: number };

/** A ledger that many nodes share, with the minutes and the places of long requests. */
export interface SharedLedger extends Ledger {
  charge(charge: NodesCharge): Promise<NodesCharged>;
  /** Leaves the place of a long request if it is still held; else does nothing. */
  leavePlace(requestId: string, at: number): Promise<void>;
}

/** A writer that may lose the answer to a commit: until it is known whether the commit was done, the writer is in doubt. */
export interface DoubtfulWriter extends BatchWriter {
  readonly isInDoubt: boolean;
  /** Is called when a doubt begins: nothing is committed before its end. */
  onDoubt?: () => void;
  /** Is called when it is known what became of a batch whose requests were refused in doubt. `replies` null: nothing of it was written. */
  onSettled?: (requests: readonly NodesRequest[], replies: readonly LedgerReply[] | null) => void;
  /** Is called before the end: what cannot be known now is not asked for any longer. */
  giveUp(): void;
}

/** `settled`: what became of a batch that had been refused in doubt. */
type NodesReport = BatchReport & { settled?: "charged" | "undone" };

/** The ledger of a node: it refuses while its writer is in doubt, and gives back what a refused batch has taken all the same. */
export class NodesLedger extends GroupCommitLedger implements SharedLedger {
  readonly #writer: DoubtfulWriter;
  readonly #onBatch: ((report: NodesReport) => void) | null;

  /** Pass null as `onBatch` to skip batch reports. */
  constructor(writer: DoubtfulWriter, onBatch: ((report: NodesReport) => void) | null = null) {
    super(writer, onBatch);
    this.#writer = writer;
    this.#onBatch = onBatch;
    writer.onDoubt = () => this.refuseWaiting();
    writer.onSettled = (requests, replies) => this.#settled(requests, replies);
  }

  override charge(charge: NodesCharge): Promise<NodesCharged> {
    return super.charge(charge);
  }

  leavePlace(requestId: string, at: number): Promise<void> {
    const end: NodesRequest = { kind: "end", leaseId: requestId, how: "released", at, ofPlace: true };
    return this.ask(end, () => undefined);
  }

  override close(): Promise<void> {
    this.#writer.giveUp();
    return super.close();
  }

  protected override get accepts(): boolean {
    return super.accepts && !this.#writer.isInDoubt;
  }

  protected override chargedIn(requests: readonly NodesRequest[], replies: readonly LedgerReply[]): NodesCharge[] {
    return super.chargedIn(requests, replies).filter(({ isFree }: NodesCharge) => isFree !== true);
  }

  /** A batch that was refused in doubt: what it charged stays charged, as an attempt that failed, and its places are given back. */
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
    for (const { kind, place, requestId } of charged) {
      if (place === undefined && kind === "charge") continue;
      const given = place === undefined ? this.endLease(requestId, "released", at) : this.leavePlace(requestId, at);
      // One that cannot be given back now ends by itself.
      given.catch(() => {});
    }
  }
}
