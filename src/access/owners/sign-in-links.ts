import type { Database } from "../../store/database.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { Ids } from "../../values/ids.ts";
import { isLoopback } from "../../values/loopback.ts";
import type { Clock } from "../../values/time/clock.ts";
import { Owners, type SignInLink } from "./owners.ts";

/** Login of an owner who signs in by links alone, unless another is chosen. */
export const linkLogin = "owner";
/** Path of the page that takes a link to sign in. */
const linkPath = "/dashboard/sign-in-link";

/** Returns whether a server with these settings takes links to sign in: only this machine reaches it. */
export function takesSignInLinks({ host, publicUrl }: { host: string; publicUrl: string }): boolean {
  return publicUrl === "" && isLoopback(host);
}

/**
 * Creates a link that signs the owner of an account in: once, within ten minutes, in a browser on this machine. It ends those made before.
 * The link's address is the server's, then `path`; the secret in it is stored as its hash.
 * @param login Of the owner, if the account has none yet.
 * @throws {OperatorError} when the server is reached by others, the account is unknown or disabled, or the login is taken.
 */
export function makeSignInLink(
  { database, clock, ids }: { database: Database; clock: Clock; ids: Ids },
  server: { host: string; publicUrl: string },
  { accountId, login = linkLogin }: { accountId: string; login?: string },
): SignInLink & { path: string } {
  if (!takesSignInLinks(server))
    throw new OperatorError(
      `links to sign in work only on a server that this machine alone reaches; make an invitation: itemtape accounts invite ${accountId}`,
    );
  const link = new Owners({ database, clock, ids }).signInLink(accountId, login);
  return { ...link, path: `${linkPath}#${link.token}` };
}
