import { and, eq, gt, isNull, lte } from "drizzle-orm";
import { accounts } from "../../../db/schema/access.ts";
import { ownerInvites, ownerSessions, owners } from "../../../db/schema/owners.ts";
import type { Database } from "../database.ts";

export type OwnerRow = typeof owners.$inferSelect;
export type InviteRow = typeof ownerInvites.$inferSelect;
export type SessionRow = typeof ownerSessions.$inferSelect;

/** Reads and writes owners, their links and their sessions. Changes are rare, so statements are not cached. */
export class OwnerStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  owner(accountId: string): OwnerRow | undefined {
    return this.#database.select().from(owners).where(eq(owners.accountId, accountId)).get();
  }

  ownerByLogin(login: string): OwnerRow | undefined {
    return this.#database.select().from(owners).where(eq(owners.login, login)).get();
  }

  /** Returns when the account was disabled, UTC ms, or null if it is enabled. */
  disabledAt(accountId: string): number | null {
    const row = this.#database
      .select({ disabledAt: accounts.disabledAt })
      .from(accounts)
      .where(eq(accounts.accountId, accountId))
      .get();
    return row?.disabledAt ?? null;
  }

  addOwner(row: OwnerRow): void {
    this.#database.insert(owners).values(row).run();
  }

  changeOwner(accountId: string, change: Partial<Pick<OwnerRow, "login" | "passwordHash" | "passwordSetAt">>): void {
    this.#database.update(owners).set(change).where(eq(owners.accountId, accountId)).run();
  }

  invite(tokenHash: Buffer): InviteRow | undefined {
    return this.#database.select().from(ownerInvites).where(eq(ownerInvites.tokenHash, tokenHash)).get();
  }

  addInvite(row: InviteRow): void {
    this.#database.insert(ownerInvites).values(row).run();
  }

  useInvite(tokenHash: Buffer, usedAt: number): void {
    this.#database.update(ownerInvites).set({ usedAt }).where(eq(ownerInvites.tokenHash, tokenHash)).run();
  }

  /** Expires the links of an account that are valid at `at`. `signsIn` restricts them to links that sign in, or that do not. */
  expireInvites(accountId: string, at: number, { signsIn }: { signsIn?: boolean } = {}): void {
    const open = and(
      eq(ownerInvites.accountId, accountId),
      signsIn === undefined ? undefined : eq(ownerInvites.signsIn, signsIn),
      isNull(ownerInvites.usedAt),
      gt(ownerInvites.expiresAt, at),
    );
    this.#database.update(ownerInvites).set({ expiresAt: at }).where(open).run();
  }

  session(sessionHash: Buffer): SessionRow | undefined {
    return this.#database.select().from(ownerSessions).where(eq(ownerSessions.sessionHash, sessionHash)).get();
  }

  addSession(row: SessionRow): void {
    this.#database.insert(ownerSessions).values(row).run();
  }

  changeSession(sessionHash: Buffer, change: Partial<Pick<SessionRow, "expiresAt" | "endedAt">>): void {
    this.#database.update(ownerSessions).set(change).where(eq(ownerSessions.sessionHash, sessionHash)).run();
  }

  /** Ends every open session of an account. */
  endSessions(accountId: string, at: number): void {
    const open = and(eq(ownerSessions.accountId, accountId), isNull(ownerSessions.endedAt));
    this.#database.update(ownerSessions).set({ endedAt: at }).where(open).run();
  }

  /** Removes the sessions and links of an account that ended by `at`. */
  forgetEnded(accountId: string, at: number): void {
    const session = and(eq(ownerSessions.accountId, accountId), lte(ownerSessions.expiresAt, at));
    this.#database.delete(ownerSessions).where(session).run();
    const invite = and(eq(ownerInvites.accountId, accountId), lte(ownerInvites.expiresAt, at));
    this.#database.delete(ownerInvites).where(invite).run();
  }
}
