import type { OwnerRefusalCode } from "../../access/owners/owner-refusal.ts";

/** Status of a refusal when nothing was written, or perhaps nothing. */
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
/** Returns the HTTP status of a refusal. Codes of the store itself mean that it could not write. */
export function statusOf(code: string): number {
  return (statuses as Readonly<Record<string, number>>)[code] ?? unwritten;
}
