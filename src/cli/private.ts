import type { Client } from "pg";
import type { Database } from "../store/database.ts";
import type { Copied } from "../store/postgres/copy.ts";
import { exitCodes } from "../values/failure/operator-error.ts";
import { barOnTerminal } from "../values/progress.ts";
import { systemClock } from "../values/time/clock.ts";
import { type Call, commandsOf, json } from "./command.ts";
import { accountSettings, withDatabase, withPrivate } from "./open.ts";
import { printJson, printTable } from "./print.ts";
import { requiredAddress } from "./private-address.ts";

export const privateCommands = commandsOf(accountSettings, [
  {
    usage: "private import",
    flags: { json },
    description: "copy accounts into an empty PostgreSQL database",
    example: "private import --private-db-file /etc/itemtape/private",
    run: importFile,
  },
  {
    usage: "private export",
    flags: { json },
    description: "copy them back into a file without accounts",
    example: "private export --private-db-file /etc/itemtape/private",
    run: exportFile,
  },
  {
    usage: "private migrate",
    description: "migrate that database to this release",
    example: "private migrate --private-db-file /etc/itemtape/private",
    run: migrate,
  },
  {
    usage: "private check",
    description: "compare usage with charges in that database",
    example: "private check --private-db-file /etc/itemtape/private",
    run: check,
  },
]);

async function migrate(call: Call): Promise<void> {
  const { otherSchema, shownUrl, withClient } = await import("../store/postgres/connection.ts");
  const address = requiredAddress(call.config);
  const { applied, other } = await withClient(address, async (client) => {
    const applied = await migrated(client, address);
    return { applied, other: await otherSchema(client) };
  });
  if (other !== null) call.out.line(`${shownUrl(address)}: nothing to apply: ${other}`);
  else if (applied === 0) call.out.line(`${shownUrl(address)} is up to date`);
  else call.out.line(`${applied} migrations applied to ${shownUrl(address)}`);
}

/** Migrates the PostgreSQL database to this release. Returns the number of migrations. */
async function migrated(client: Client, address: string): Promise<number> {
  const { migratePrivate, refuseUnlessDurable, refuseUnlessPrivate } = await import("../store/postgres/connection.ts");
  await refuseUnlessDurable(client, address);
  const applied = await migratePrivate(client);
  await refuseUnlessPrivate(client, address);
  return applied;
}

async function importFile(call: Call): Promise<void> {
  const { importPrivate } = await import("../store/postgres/copy.ts");
  await copy(call, async (client, file, address) => {
    await migrated(client, address);
    return importPrivate(file, client, barOnTerminal(process.stderr, systemClock));
  });
}

async function exportFile(call: Call): Promise<void> {
  const { refuseUnlessPrivate } = await import("../store/postgres/connection.ts");
  const { exportPrivate } = await import("../store/postgres/copy.ts");
  await copy(call, async (client, file, address) => {
    await refuseUnlessPrivate(client, address);
    return exportPrivate(client, file, barOnTerminal(process.stderr, systemClock));
  });
}

async function check(call: Call): Promise<number> {
  const { checkPrivate } = await import("../store/postgres/check.ts");
  const { shownUrl } = await import("../store/postgres/connection.ts");
  const { faults, hasPageChecksums } = await withPrivate(call, checkPrivate);
  for (const fault of faults) call.out.line(fault);
  if (faults.length === 0)
    call.out.line(`${shownUrl(requiredAddress(call.config))}: usage, charges, exports and portfolios agree`);
  if (!hasPageChecksums)
    call.out.note(
      "this PostgreSQL has no page checksums and would not notice a changed bit; `pg_checksums --enable` adds them",
    );
  return faults.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
}

type CopyWork = (client: Client, file: Database, address: string) => Promise<Copied>;

/** Copies between the file and PostgreSQL, and prints the rows of each table. */
async function copy(call: Call, work: CopyWork): Promise<void> {
  const { withClient } = await import("../store/postgres/connection.ts");
  const address = requiredAddress(call.config);
  const copied = await withDatabase(call, (file) => withClient(address, (client) => work(client, file, address)));
  const rows = Array.from(copied, ([table, count]) => [table, String(count)]);
  if (call.has("json")) printJson(call, Object.fromEntries(copied));
  else printTable(call, ["TABLE", "ROWS"], rows);
}
