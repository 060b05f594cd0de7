import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Names by which the adapter may be asked: those of this machine and the one it listens on. */
export function allowedHosts(host: string): ReadonlySet<string> {
  return new Set([...loopbackNames, hostName(host.includes(":") ? `[${host}]` : host) ?? host]);
}

/** Returns why a request is refused as foreign; null where it may come from a program that meant this address. */
export function foreign({ host, origin }: IncomingHttpHeaders, hosts: ReadonlySet<string>): string | null {
  const name = hostName(host ?? "");
  // No name leads to a number, so that numbers are safe.
  if (name === null || !(hosts.has(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0)) return "this Host is not served";
  if (origin === undefined) return null;
  const isOwn = URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
  return isOwn ? null : "pages of another origin are not served";
}

/** The name in a Host header without its port, in lower case; null where it is none. */
function hostName(host: string): string | null {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname;
}
