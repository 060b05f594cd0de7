export type PlanName = "free" | "builder" | "trader" | "quant";
export type Limits = { perMonth: number; perMinute: number; startsPerDay: number };
export type Rule = { scope: "market:read" | "portfolio:read" | null; paid: boolean; unit: boolean; lease: boolean };
export type Headers = { limitPerMinute: number; remainingInMinute: number; quotaRemaining: number | null };
export type Figures = { used: number; limit: number };

/** What the ledger answers to one entry of a batch. */
export type Reply =
  | { kind: "charged"; used: number; limit: number; expiresAt: number | null }
  | { kind: "refused"; code: string; retryAfterS: number | null; month: Figures | null };

/** What a client sees. `deadlineMs`: how long, from its admission, the export may go on. `failed`: an error without a code. */
export type Outcome =
  | { kind: "admitted"; headers: Headers; deadlineMs: number | null }
  | { kind: "refused"; code: string; retryAfterS: number | null; headers: Headers | null }
  | { kind: "failed" };

/** One request. `authorization` null: no header. `at`: its instant; `now`: when it reaches the gate. */
export type Call = {
  requestId: string;
  authorization: string | null;
  operation: string;
  rule: Rule;
  at: number;
  now: number;
};

export type ModelAccount = { plan: PlanName; planEndsAt: number | null; disabledAt: number | null };
export type ModelKey = {
  accountId: string;
  scopes: string;
  secret: string;
  expiresAt: number;
  revokedAt: number | null;
};
export type ModelEvent = { accountId: string; keyId: string; operation: string; month: string; at: number };
export type ModelLease = {
  leaseId: string;
  accountId: string;
  admittedAt: number;
  expiresAt: number;
  state: "reserved" | "finished" | "released" | "expired";
  endedAt: number | null;
};
