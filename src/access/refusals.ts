import type { FailureCode } from "../values/failure/failure.ts";
import { permitLimits } from "./account-permits.ts";
import { serviceSlots } from "./plans.ts";

/** Details of the access layer's refusals. `satisfies` ensures that each code is in the contract. */
export const refusalDetails = {
  invalid_api_key: "header `Authorization`: needs a valid key as Bearer credential",
  expired_api_key: "header `Authorization`: the key has expired; create a new one",
  revoked_api_key: "header `Authorization`: the key was revoked; create a new one",
  account_disabled: "the account of this key is disabled",
  plan_upgrade_required: "this operation needs a paid plan",
  rate_limited: "the account has used its requests of this minute",
  snapshot_busy: "the account already has an active export",
  snapshot_capacity: `all ${serviceSlots} export slots of the service are in use`,
  snapshot_daily_limit: "the account has used its export starts of the last 24 hours",
  changes_busy: "the account already has an active stream of changes",
  changes_capacity: `all ${permitLimits.changes.inAll} slots of the service for streams of changes are in use`,
  waiting_limit: `${permitLimits.waiting.perAccount} requests of the account are already waiting`,
  monthly_quota_exceeded: "the account has used its requests of this UTC calendar month",
  service_unavailable: "the service cannot answer now; retry after the stated time",
} as const satisfies Partial<Record<FailureCode, string>>;

export type RefusalCode = keyof typeof refusalDetails;
