import { hashKey } from "../access/credentials.ts";
import { type DemoKeys, demoLogin } from "../demo/demo.ts";
import { closeDatabase, openReader } from "../store/database.ts";
import { CredentialReads } from "../store/read/credentials.ts";
import type { Output } from "./command.ts";

/** The addresses of the service: `base` on this machine, `publicBase` for the owners of accounts. */
export type Bases = { base: string; publicBase: string };

/** The address of a server that only this machine reaches. Its demo can be visited without a sign-in. */
const loopbackBase = /^http:\/\/(?:localhost|127(?:\.[0-9]+){3}|\[::1\])(?::|$)/;

/** The secrets of the demo accounts, and the id of the Builder account. */
type ShownDemo = DemoKeys & { accountId: string };

/** Adds the id of the Builder account in the demo file at `path` to its secrets. */
export function shownDemo(path: string, keys: DemoKeys): ShownDemo {
  const database = openReader(path);
  try {
    const accountId = new CredentialReads(database).byHash(hashKey(keys.builder), "")?.[1];
    if (accountId === undefined) throw new Error("the demo file has no account of its Builder key");
    return { ...keys, accountId };
  } finally {
    closeDatabase(database);
  }
}

/** Prints the keys, which cannot be shown again, and four working requests with them. */
export function printDemo(out: Output, keys: ShownDemo, { base, publicBase }: Bases): void {
  const { accountId, builder, free, builderToken, ownerInvite } = keys;
  const isLocal = base === publicBase && loopbackBase.test(base);
  const lines = [
    "This is the demo world: item names are real; all prices and all providers except Steam are invented.",
    "",
    "Two keys and a personal token, shown this once (the Builder plan of the demo ends after 30 days):",
    `  Builder  ${builder}`,
    `  Free     ${free}`,
    `  Builder's portfolios  ${builderToken}`,
    `The account of the Builder key and the token is ${accountId}.`,
    "",
    `The dashboard of the Builder account: set a password for the login \`${demoLogin}\` with this link, which works once`,
    `and for 24 hours (\`npx itemtape accounts invite ${accountId}\` makes another):`,
    `  ${publicBase}/dashboard/invite/${ownerInvite}`,
    "",
    ...(isLocal ? [`In a browser on this machine: ${base}/market. No key is needed there.`, ""] : []),
    "Try:",
    `  curl ${base}/v1/status`,
    `  curl -H "Authorization: Bearer ${free}" "${base}/v1/items?q=doppler&limit=3"`,
    `  curl -X POST -H "Authorization: Bearer ${builder}" ${base}/v1/markets/snapshot | tail -n 2`,
    `  curl -H "Authorization: Bearer ${builderToken}" ${base}/v1/me/portfolios`,
    "",
  ];
  for (const line of lines) out.line(line);
}
