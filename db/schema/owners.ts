import { sql } from "drizzle-orm";
import { blob, check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts } from "./access.ts";

/** The person who may sign in for an account. */
export const owners = sqliteTable(
  "owners",
  {
    accountId: text("account_id")
      .primaryKey()
      .references(() => accounts.accountId),
    /** The name to sign in with: lower case, unique. */
    login: text("login").notNull().unique(),
    /** `scrypt$N$r$p$salt$hash`. Null if the owner is invited and has set no password yet. */
    passwordHash: text("password_hash"),
    passwordSetAt: integer("password_set_at"),
    createdAt: integer("created_at").notNull(),
  },
  () => [check("owners_login", sql`login = lower(login) AND length(login) BETWEEN 3 AND 254`)],
);

/** A one-time link to set a password, or to sign in on the server's own machine. */
export const ownerInvites = sqliteTable(
  "owner_invites",
  {
    tokenHash: blob("token_hash", { mode: "buffer" }).primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => owners.accountId),
    /** The owner's new login after the link is used. Null to keep the current one. */
    login: text("login"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
    /** True if the link signs in and sets no password. */
    signsIn: integer("signs_in", { mode: "boolean" }).notNull().default(false),
  },
  () => [check("owner_invites_hash", sql`length(token_hash) = 32`)],
);

/** A browser that is signed in. Only the hash of its cookie is stored. */
export const ownerSessions = sqliteTable(
  "owner_sessions",
  {
    sessionHash: blob("session_hash", { mode: "buffer" }).primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => owners.accountId),
    /** When the password was last entered. */
    signedInAt: integer("signed_in_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    endedAt: integer("ended_at"),
    /** True if a link opened the session. It then expires after 30 days without use. */
    byLink: integer("by_link", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("owner_sessions_by_account").on(table.accountId),
    check("owner_sessions_hash", sql`length(session_hash) = 32`),
  ],
);
