import type { Client } from "pg";
import type { Database } from "../store/database.ts";
import { checkPrivate } from "../store/postgres/check.ts";
import {
  migratePrivate,
  otherSchema,
  refuseUnlessDurable,
  refuseUnlessPrivate,
  shownUrl,
  withClient,
} from "../store/postgres/connection.ts";
import { type Copied, exportPrivate, importPrivate } from "../store/postgres/copy.ts";
import { systemClock } from "../values/clock.ts";
import { exitCodes } from "../values/operator-error.ts";
import { barOnTerminal } from "../values/progress.ts";
import type { Call } from "./command.ts";
import { withFile } from "./open.ts";
import { printJson, printTable } from "./print.ts";
import { requiredAddress } from "./private-address.ts";

/** Runs `private migrate`: brings the tables of the private database to this release. */
export async function migrate(call: Call): Promise<number> {
  const address = requiredAddress(call.config);
  const { applied, other } = await withClient(address, async (client) => {
    await refuseUnlessDurable(client, address);
    const applied = await migratePrivate(client);
    await refuseUnlessPrivate(client, address);
    return { applied, other: await otherSchema(client) };
  });
  if (other !== null) call.out.line(`${shownUrl(address)}: nothing to apply: ${other}`);
  else if (applied === 0) call.out.line(`${shownUrl(address)} is up to date`);
  else call.out.line(`${applied} migrations applied to ${shownUrl(address)}`);
  return exitCodes.ok;
}

/** Runs `private import`: copies what belongs to accounts from the file into an empty private database. The file keeps it. */
export async function importFile(call: Call): Promise<number> {
  const address = requiredAddress(call.config);
  const copied = await copy(call, async (client, file) => {
    await refuseUnlessDurable(client, address);
    await migratePrivate(client);
    await refuseUnlessPrivate(client, address);
    return importPrivate(file, client, barOnTerminal(process.stderr, systemClock));
  });
  return print(call, copied);
}

/** Runs `private export`: copies what belongs to accounts from the private database into a file that has no account. */
export async function exportFile(call: Call): Promise<number> {
  const address = requiredAddress(call.config);
  const copied = await copy(call, async (client, file) => {
    await refuseUnlessPrivate(client, address);
    return exportPrivate(client, file, barOnTerminal(process.stderr, systemClock));
  });
  return print(call, copied);
}

/** Runs `private check`: prints what contradicts itself in the private database. */
export async function check(call: Call): Promise<number> {
  const address = requiredAddress(call.config);
  const { faults, hasPageChecksums } = await withClient(address, async (client) => {
    await refuseUnlessDurable(client, address);
    await refuseUnlessPrivate(client, address);
    return checkPrivate(client);
  });
  for (const fault of faults) call.out.line(fault);
  if (faults.length === 0) call.out.line(`${shownUrl(address)}: usage, charges, exports and portfolios agree`);
  if (!hasPageChecksums)
    call.out.note(
      "this PostgreSQL keeps no checksums of its pages and would not notice a changed bit; `pg_checksums --enable` adds them",
    );
  return faults.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
}

function copy(call: Call, work: (client: Client, file: Database) => Promise<Copied>): Promise<Copied> {
  return withFile(call, (file) => withClient(requiredAddress(call.config), (client) => work(client, file)));
}

function print(call: Call, copied: Copied): number {
  if (call.has("json")) printJson(call, Object.fromEntries(copied));
  else
    printTable(
      call,
      ["TABLE", "ROWS"],
      [...copied].map(([table, rows]) => [table, String(rows)]),
    );
  return exitCodes.ok;
}
