import type { components } from "../../../generated/openapi.d.ts";

/** A code of the contract's list. */
export type FailureCode = components["schemas"]["ErrorCode"];

/** Facts beside the code: `detail` is safe to show to any caller, `retryAfterS` whole seconds >= 1, `allow` methods of the path. */
export type FailureFacts = { detail?: string; retryAfterS?: number; allow?: string };

/** A refusal by a documented code. It knows no HTTP: one table in `api/problems.ts` gives each code its status. */
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
