import {
  type Admission,
  type AdmissionParts,
  AdmissionRefusal,
  type AdmissionRequest,
  Admissions,
  type Allowance,
  chargeOf,
  uncounted,
} from "../admission.ts";
import type { Caller } from "../credentials.ts";
import { LedgerRefusal } from "../ledger/ledger.ts";
import { isCached } from "./credentials.ts";
import type { NodesCharge, SharedLedger } from "./ledger.ts";

/** Reports that a cached caller is not sufficient and that the key must be looked up. Nothing was charged or counted. */
export class CallerChanged extends Error {}

/**
 * Admits requests of a node. All nodes share the minute counts and the permits of long-running requests. Each counted request is therefore
 * reported to the ledger, even if it costs no unit. This node's own count refuses some requests of a used-up minute without the ledger.
 */
export class NodesAdmissions extends Admissions {
  readonly #ledger: SharedLedger;
  readonly #now: () => number;

  constructor(parts: AdmissionParts & { ledger: SharedLedger }) {
    super(parts);
    this.#ledger = parts.ledger;
    this.#now = () => parts.clock.now();
  }

  override allowance(caller: Caller, at: number): Allowance {
    const known = super.allowance(caller, at);
    // The caller may have used more of the month since the lookup.
    return isCached(caller) ? { ...known, quotaRemaining: null } : known;
  }

  /** @throws {CallerChanged} when a cached caller would be refused. */
  protected override countMinute(request: AdmissionRequest): number {
    try {
      return super.countMinute(request);
    } catch (error) {
      throw isCached(request.caller) ? new CallerChanged() : error;
    }
  }

  protected override charge(request: AdmissionRequest, remainingInMinute: number): Promise<Admission> {
    const { requestId, rule, permit = null } = request;
    const leave = () => this.#ledger.releasePermit(requestId, this.#now());
    const lease = rule.lease ? this.lease(request) : permit === null ? null : this.held(request, permit.holdMs, leave);
    return this.#ledger.charge(nodesChargeOf(request)).then(
      (month) => this.admission(request, month, month.remainingInMinute ?? remainingInMinute, lease),
      (error) => {
        throw this.refusalOf(error, request);
      },
    );
  }

  protected override refusalOf(error: unknown, request: AdmissionRequest): unknown {
    const refusal = super.refusalOf(error, request);
    if (!(error instanceof LedgerRefusal)) return error;
    if (isCached(request.caller) && uncounted.has(error.code)) return new CallerChanged();
    if (error.code !== "rate_limited") return refusal;
    const allowance = { ...this.allowance(request.caller, request.at), remainingInMinute: 0, quotaRemaining: null };
    return new AdmissionRefusal(error.code, error.facts, allowance);
  }
}

function nodesChargeOf(request: AdmissionRequest): NodesCharge {
  const { rule, caller, permit = null } = request;
  const charge: NodesCharge = chargeOf(request);
  if (isCached(caller)) charge.cached = { plan: caller.plan, secretHash: caller.secretHash };
  if (rule.lease) return charge;
  if (permit !== null) charge.permit = permit;
  else if (rule.monthlyUnits === 0) charge.isFree = true;
  return charge;
}
