import { isFull } from "../../store/file/refusal.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";

/** Reasons to refuse an owner's request. A store may have more. */
export type OwnerRefusalCode = keyof typeof ownerRefusalTexts;

/** A refusal of the dashboard. Its message is a sentence for the user and never contains a secret. `retryAfterS` is in whole seconds. */
export class OwnerRefusal extends Error {
  readonly code: string;
  readonly retryAfterS: number | null;

  constructor(code: OwnerRefusalCode, message?: string, retryAfterS?: number | null);
  constructor(code: string, message: string, retryAfterS?: number | null);
  constructor(code: string, message?: string, retryAfterS: number | null = null) {
    super(message ?? ownerRefusalTexts[code as OwnerRefusalCode]);
    this.name = "OwnerRefusal";
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

/** Seconds after which to retry a request that was refused as busy. */
const busyRetryS = 1;

/** Builds the refusal for too many requests. */
export function busyRefusal(): OwnerRefusal {
  return new OwnerRefusal("busy", undefined, busyRetryS);
}

/** A refusal as passed between threads, because an error would lose its class. */
export type RefusalFacts = Pick<OwnerRefusal, "code" | "message" | "retryAfterS">;

/** Returns the refusal that represents `error`. Rethrows an error that is a bug of this program. */
export function refusalOf(error: unknown, databasePath: string): RefusalFacts {
  const { code, message, retryAfterS } = ownerRefusalOf(error, databasePath);
  return { code, message, retryAfterS };
}

function ownerRefusalOf(error: unknown, databasePath: string): OwnerRefusal {
  if (error instanceof OwnerRefusal) return error;
  if (error instanceof OperatorError) {
    const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
    return new OwnerRefusal(error.exitCode === exitCodes.usage ? "bad_input" : "conflict", message);
  }
  const { code } = error as { code?: unknown };
  const isBusy = typeof code === "string" && code.startsWith("SQLITE_BUSY");
  if (isBusy || isFull(error, databasePath)) return busyRefusal();
  throw error;
}

/** Default messages of refusals. */
export const ownerRefusalTexts = {
  invalid_credentials: "The login or the password is wrong.",
  account_disabled: "This account is disabled. Ask the operator of this service.",
  invite_unknown: "This service does not know the link. Check that it is complete, or ask for a new one.",
  invite_used: "This link has been used. Sign in with your password, or ask for a new link.",
  invite_expired: "This link has expired or was replaced by a newer one. Ask for a new link.",
  link_used: "This link has been used. `npx itemtape sign-in` prints a new one.",
  link_expired: "This link has expired or was replaced by a newer one. `npx itemtape sign-in` prints a new one.",
  session_ended: "You are signed out.",
  stale_sign_in: "Enter your password again: creating and rotating keys needs a sign-in within the last 30 minutes.",
  unknown_key: "This account does not have the key.",
  unknown_portfolio: "This account does not have the portfolio.",
  bad_input: "The form is not filled in correctly.",
  conflict: "This is no longer possible.",
  busy: "The service is busy and nothing was changed. Try again in a moment.",
};
