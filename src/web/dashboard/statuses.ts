import type { OwnerRefusalCode } from "../../access/owners/owner-refusal.ts";

/** Status of a refusal after which nothing, or possibly nothing, was written. */
export const unwritten = 503;

const statuses: Readonly<Record<OwnerRefusalCode, number>> = {
  invalid_credentials: 403,
  account_disabled: 403,
  invite_unknown: 404,
  invite_used: 410,
  invite_expired: 410,
  link_used: 410,
  link_expired: 410,
  session_ended: 403,
  stale_sign_in: 403,
  unknown_key: 404,
  unknown_portfolio: 404,
  bad_input: 400,
  conflict: 409,
  busy: unwritten,
};
/** Returns the HTTP status of a refusal. Other codes are errors of the store, which could not write. */
export function statusOf(code: string): number {
  return (statuses as Readonly<Record<string, number>>)[code] ?? unwritten;
}
