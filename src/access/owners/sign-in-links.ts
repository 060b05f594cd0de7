import type { Database } from "../../store/database.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { Ids } from "../../values/ids.ts";
import { isLoopback } from "../../values/loopback.ts";
import type { Clock } from "../../values/time/clock.ts";
import { Owners, type SignInLink } from "./owners.ts";

/** Default login of an owner who signs in only by links. */
export const linkLogin = "owner";
/** Path of the page that opens a sign-in link. */
const linkPath = "/dashboard/sign-in-link";

/** Returns whether a server with these settings accepts sign-in links. Only this machine may reach it. */
export function takesSignInLinks({ host, publicUrl }: { host: string; publicUrl: string }): boolean {
  return publicUrl === "" && isLoopback(host);
}

/**
 * Creates a link that signs the owner of an account in, once, within ten minutes, in a browser on this machine. Earlier links end. The
 * address is the server's, followed by `path`; the secret in it is stored as its hash.
 * @param login Login of the owner, if the account has none yet.
 * @throws {OperatorError} when other machines reach the server, the account is unknown or disabled, or the login is in use.
 */
export function makeSignInLink(
  { database, clock, ids }: { database: Database; clock: Clock; ids: Ids },
  server: { host: string; publicUrl: string },
  { accountId, login = linkLogin }: { accountId: string; login?: string },
): SignInLink & { path: string } {
  if (!takesSignInLinks(server))
    throw new OperatorError(
      `sign-in links work only on a server that is reachable from this machine alone; make an invitation: npx itemtape accounts invite ${accountId}`,
    );
  const link = new Owners({ database, clock, ids }).signInLink(accountId, login);
  return { ...link, path: `${linkPath}#${link.token}` };
}
