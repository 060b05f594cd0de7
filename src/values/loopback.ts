import { isIP } from "node:net";
import { Networks } from "./networks.ts";

/** Loopback addresses. */
export const loopback = new Networks("127.0.0.0/8, ::1");

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Returns whether a listener at `address` is only reachable from this machine. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || loopback.includes(address);
}

/**
 * Returns a predicate for the Host header of a listener at `address`. It accepts loopback names, `address` itself and any IP address. Other
 * names are refused because another site's name may resolve to this machine.
 */
export function ownHosts(address: string): (header: string | undefined) => boolean {
  const names = new Set([...loopbackNames, hostName(address.includes(":") ? `[${address}]` : address) ?? address]);
  return (header) => {
    const name = hostName(header ?? "");
    return name !== null && (names.has(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0);
  };
}

/** Returns the name in a Host header without its port; null if the header is invalid. */
function hostName(host: string): string | null {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname;
}
