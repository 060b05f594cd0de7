import type { DailyUse } from "../../store/owner-reads.ts";
import type { Key, NewSecret } from "../keys.ts";
import type { OwnerRefusalCode } from "./owner-refusal.ts";
import type { NewSession } from "./owners.ts";
import type { PasswordCost } from "./passwords.ts";

/** What the desk is started with. */
export type DeskSetup = { databasePath: string; cost?: PasswordCost };
/** What one of its threads is started with: the one that counts usage writes nothing. */
export type DeskThreadSetup = DeskSetup & { role: "writes" | "usage" };

/** What is wanted of a key that is to be made. `after`: the account's newest key as the form knew it, "" for none. */
export type KeyWish = { name: string; days: number; after: string };
export type TokenWish = KeyWish & { portfolioIds: readonly string[]; consent: boolean };

/** What the desk does, as its thread does it. Sessions are named by their hash. */
export type DeskCalls = {
  signIn(login: string, password: string, replaced: string | null): NewSession;
  signInAgain(sessionHash: string, password: string): NewSession;
  setPassword(token: string, password: string): { accountId: string; login: string };
  changePassword(sessionHash: string, current: string, password: string): NewSession;
  keepAlive(sessionHash: string): null;
  signOut(sessionHash: string): null;
  signOutEverywhere(sessionHash: string): null;
  createKey(sessionHash: string, wish: KeyWish): NewSecret;
  createPersonalToken(sessionHash: string, wish: TokenWish): NewSecret;
  /** `display`: the secret to replace, as the form showed it. */
  rotateKey(sessionHash: string, keyId: string, display: string): NewSecret;
  revokeKey(sessionHash: string, keyId: string): Key;
  usageByDay(accountId: string, fromAt: number, untilAt: number): DailyUse[];
};

export type DeskCall = keyof DeskCalls;

/** `at` is the instant that counts, UTC ms: the thread has no clock of its own. */
export type DeskRequest = {
  [Call in DeskCall]: { id: number; at: number; call: Call; args: Parameters<DeskCalls[Call]> };
}[DeskCall];

export type DeskReply =
  | { id: number; kind: "done"; value: unknown }
  | { id: number; kind: "refused"; code: OwnerRefusalCode; message: string; retryAfterS: number | null }
  | { id: number; kind: "failed"; cause: string };

export type ToDesk = DeskRequest | "close";
export type FromDesk = DeskReply | "ready";
