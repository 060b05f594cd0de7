import { buildDomain } from "../../src/compose.ts";
import { loadContract } from "../../src/contract/document.ts";
import { openReader } from "../../src/store/database.ts";
import { systemClock } from "../../src/values/clock.ts";

/** Opens what the service reads with, in this process and without a server. The caller closes `database`. */
export function openDomain(path: string) {
  const database = openReader(path);
  const readers = { market: database, exports: database, access: database };
  return { database, domain: buildDomain(readers, systemClock, "bench", loadContract()) };
}
