import { hashKey } from "../access/credentials.ts";
import { type DemoKeys, demoLogin } from "../demo/demo.ts";
import { closeDatabase, openReader } from "../store/database.ts";
import { CredentialReads } from "../store/read/credentials.ts";
import type { Output } from "./command.ts";

/** The addresses of the service: `base` from this machine, `publicBase` for the owners of accounts. */
export type Bases = { base: string; publicBase: string };

/** The address of a server that only this machine reaches: its demo may be looked around in. */
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

/** Prints the keys, which nothing can show again, and four requests that work with them. */
export function printDemo(out: Output, keys: ShownDemo, { base, publicBase }: Bases): void {
  const { accountId } = keys;
  out.line("This is the demo world: item names are real, every price and every provider but Steam is made up.");
  out.line("");
  out.line("Two keys and a personal token, shown this once (the Builder plan of the demo ends after 30 days):");
  out.line(`  Builder  ${keys.builder}`);
  out.line(`  Free     ${keys.free}`);
  out.line(`  Builder's portfolios  ${keys.builderToken}`);
  out.line(`The account of the Builder key and the token is ${accountId}.`);
  out.line("");
  out.line(
    `The dashboard of the Builder account: set a password for the login \`${demoLogin}\` with this link, which works once`,
  );
  out.line(`and for 24 hours (\`itemtape accounts invite ${accountId}\` makes another):`);
  out.line(`  ${publicBase}/dashboard/invite/${keys.ownerInvite}`);
  out.line("");
  if (base === publicBase && loopbackBase.test(base)) {
    out.line(`In a browser on this machine: ${base}/market, and press "Look around". No key is needed there.`);
    out.line("");
  }
  out.line("Try:");
  out.line(`  curl ${base}/v1/status`);
  out.line(`  curl -H "Authorization: Bearer ${keys.free}" "${base}/v1/items?q=doppler&limit=3"`);
  out.line(`  curl -X POST -H "Authorization: Bearer ${keys.builder}" ${base}/v1/markets/snapshot | tail -n 2`);
  out.line(`  curl -H "Authorization: Bearer ${keys.builderToken}" ${base}/v1/me/portfolios`);
  out.line("");
}
