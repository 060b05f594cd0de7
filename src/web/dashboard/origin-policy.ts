/** Names and attributes of the dashboard's cookies, and the check of origins for forms. */
export type OriginPolicy = {
  readonly sessionCookie: string;
  /** Cookie that replaces the session cookie before a sign-in. Form tokens are derived from its secret. */
  readonly formCookie: string;
  readonly cookieRules: string;
  /** Returns whether an origin belongs to this service. `host` is the Host header. */
  isOwnOrigin(origin: string, host: string | undefined): boolean;
};

const rules = "Path=/dashboard; HttpOnly; SameSite=Strict";

/**
 * Returns the policy of a service. `publicUrl` is the origin that owners use; "" permits any host by which they reach the server. Under
 * https, cookies that were set over http are not accepted.
 */
export function originPolicy(publicUrl: string): OriginPolicy {
  const isSecure = publicUrl.startsWith("https://");
  const prefix = isSecure ? "__Secure-" : "";
  return {
    sessionCookie: `${prefix}itemtape_session`,
    formCookie: `${prefix}itemtape_form`,
    cookieRules: isSecure ? `${rules}; Secure` : rules,
    // Both are normalised: the header by the browser, the setting when it was read.
    isOwnOrigin: (origin, host) => (publicUrl === "" ? isOf(host, origin) : origin === publicUrl),
  };
}

function isOf(host: string | undefined, origin: string): boolean {
  try {
    return host !== undefined && new URL(origin).host === host.toLowerCase();
  } catch {
    // The origin `null` of a page that hides its origin.
    return false;
  }
}
