import { isIP } from "node:net";
import { Networks } from "./networks.ts";

/** Addresses that only this machine has. */
export const loopback = new Networks("127.0.0.0/8, ::1");

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Returns whether only this machine reaches a listener at `address`. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || loopback.includes(address);
}

/**
 * Returns a function that returns whether a Host header names the listener at `address`: by a loopback name, by that address or by any
 * number. The name of another site may resolve to this machine; a number needs no resolving.
 */
export function ownHosts(address: string): (header: string | undefined) => boolean {
  const names = new Set([...loopbackNames, hostName(address.includes(":") ? `[${address}]` : address) ?? address]);
  return (header) => {
    const name = hostName(header ?? "");
    return name !== null && (names.has(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0);
  };
}

/** Returns the name of a Host header without its port; null if the header is not one. */
function hostName(host: string): string | null {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname;
}
