import type { IncomingMessage } from "node:http";

const loopbackName = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]+)?$/i;
/** Headers that proxies add to requests. */
const forwarding = /^(?:x-forwarded(?:-.*)?|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-.*)$/;

/** Returns whether a request has a loopback host and no header of a proxy. */
export function isLoopbackRequest({ headers }: IncomingMessage): boolean {
  return loopbackName.test(headers.host ?? "") && !Object.keys(headers).some((name) => forwarding.test(name));
}
