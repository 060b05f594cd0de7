import type { components } from "../../../generated/openapi.d.ts";

/** Error code of the contract. */
export type FailureCode = components["schemas"]["ErrorCode"];

/**
 * Details of a failure. `detail` is safe to show to any caller, `retryAfterS` is whole seconds >= 1, `allow` lists the methods of the path.
 */
export type FailureFacts = { detail?: string; retryAfterS?: number; allow?: string };

/** Refusal of a request with an error code of the contract. `api/problems.ts` maps each code to its HTTP status. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly facts: FailureFacts;

  constructor(code: FailureCode, facts: FailureFacts = {}) {
    super(facts.detail ?? code);
    this.name = "Failure";
    this.code = code;
    this.facts = facts;
  }
}
