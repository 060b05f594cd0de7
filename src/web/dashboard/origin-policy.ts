/** Names and limits of the dashboard's cookies, and the pages that may send it forms. */
export type OriginPolicy = {
  readonly sessionCookie: string;
  /** Stands in for the session's where nobody is signed in yet: it makes the form's token. */
  readonly formCookie: string;
  readonly cookieRules: string;
  /** Returns whether a page of this origin is one of ours; `host` is the request's header. */
  isOurs(origin: string, host: string | undefined): boolean;
};

const rules = "Path=/dashboard; HttpOnly; SameSite=Strict";

/**
 * Returns the policy of a service. `publicUrl` is the origin that owners use, "": whatever they reach the server by. Under https no cookie
 * is taken that could have been set without it.
 */
export function originPolicy(publicUrl: string): OriginPolicy {
  const isSecure = publicUrl.startsWith("https://");
  const prefix = isSecure ? "__Secure-" : "";
  return {
    sessionCookie: `${prefix}itemtape_session`,
    formCookie: `${prefix}itemtape_form`,
    cookieRules: isSecure ? `${rules}; Secure` : rules,
    // What a browser sends is written as the setting is after it was read.
    isOurs: (origin, host) => (publicUrl === "" ? isOf(host, origin) : origin === publicUrl),
  };
}

function isOf(host: string | undefined, origin: string): boolean {
  try {
    return host !== undefined && new URL(origin).host === host.toLowerCase();
  } catch {
    // `null`: a page that hides where it comes from.
    return false;
  }
}
