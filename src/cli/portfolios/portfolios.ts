import { accountAt, checkedName, knownAccount } from "../../access/accounts.ts";
import { oddCostText } from "../../import/guards/lot-costs.ts";
import { PortfolioManager } from "../../import/portfolios/manage.ts";
import { type PortfolioAdapterName, portfolioAdapters } from "../../import/portfolios/parsed-rows.ts";
import { importPortfolio, lossesText, type PortfolioImportReport } from "../../import/portfolios/portfolio-import.ts";
import { importPrivatePortfolio } from "../../import/portfolios/private-import.ts";
import type { Valuation } from "../../jobs/valuation/valuation.ts";
import { type FileValuation, valueFile } from "../../jobs/valuation/value-file.ts";
import type { valueShared } from "../../jobs/valuation/value-shared.ts";
import type { Database } from "../../store/database.ts";
import { databasePath } from "../../store/file/file.ts";
import type { PortfolioScope } from "../../store/postgres/portfolio-work.ts";
import { AccountStore } from "../../store/write/accounts.ts";
import type { PortfolioRecord, PortfolioSummary } from "../../store/write/portfolios.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { systemIds } from "../../values/ids.ts";
import { progressOn } from "../../values/progress.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayText, dayTextOrNull } from "../../values/time/calendar.ts";
import { systemClock, toTimestamp } from "../../values/time/clock.ts";
import { adapterOf, type Call, existingFile, usageError } from "../command.ts";
import { ownFile, withDatabase, withPrivate, withProgress } from "../open.ts";
import { printList, printResult } from "../print.ts";
import { privateAddress } from "../private-address.ts";

/** Maximum printed names of excluded lots. */
const leftOutMax = 20;
/** Maximum printed lots with an odd cost. */
const oddCostsMax = 10;

/** Runs `portfolios create`: adds an empty portfolio and prints its id. */
export async function create(call: Call): Promise<void> {
  const name = call.flag("name");
  if (name === undefined) throw usageError("--name is missing: name the portfolio");
  const accountId = call.operands[0]!;
  const record = await manage(call, { account: { accountId }, lots: null }, (portfolios, database) =>
    portfolios.create({
      accountId,
      isFree: accountAt(knownAccount(new AccountStore(database), accountId), systemClock.now()).plan === "free",
      name: checkedName("portfolio", name),
      displayCurrency: call.flag("currency"),
      priceSource: call.flag("provider"),
      isPublic: call.has("public"),
      notes: call.flag("notes"),
    }),
  );
  printResult(call, portfolioJson(record), [
    `portfolio  ${record.portfolioId}`,
    `account    ${record.accountId}`,
    `name       ${record.name}`,
    `shown in   ${record.displayCurrency}`,
    `valued at  ${record.priceSource}`,
    `shared     ${record.isPublic ? "public" : "private"}`,
  ]);
}

/** Runs `portfolios list`: prints a line for each portfolio of an account. */
export async function list(call: Call): Promise<void> {
  const accountId = call.operands[0]!;
  const scope: PortfolioScope = { account: { accountId }, lots: "all" };
  const found = await manage(call, scope, (portfolios) => portfolios.list(accountId), { reads: true });
  const head = ["PORTFOLIO", "SHARED", "CURRENCY", "PROVIDER", "LOTS", "LEDGER", "VALUED", "NAME"];
  printList(call, found.map(summaryJson), head, found.map(columnsOf));
}

/** Imports the given files together and prints a report. */
export async function importFiles(call: Call): Promise<void> {
  const [portfolioId, ...names] = call.operands as [string, ...string[]];
  const files = names.map((file) => ({ adapter: adapterFor(call, file), path: existingFile(file) }));
  const path = databasePath(call.config.db);
  if (call.has("remove-most") && !call.has("replace")) throw usageError("--remove-most needs --replace");
  const account = call.flag("account");
  if (account !== undefined && files.every(({ adapter }) => adapter !== "steam-inventory"))
    throw usageError("--account needs an inventory of Steam among the files");
  const options = {
    portfolioId,
    replace: call.has("replace"),
    removeMost: call.has("remove-most"),
    account: account === undefined ? "" : checkedName("Steam account", account),
    leaveOut: call.has("leave-out"),
    dryRun: call.has("dry-run"),
  };
  const parts = { clock: systemClock, ids: systemIds(), progress: progressOn(process.stderr, systemClock) };
  const report =
    privateAddress(call.config) === null
      ? await importPortfolio(path, files, options, parts)
      : await withPrivate(call, (client) => importPrivatePortfolio(client, path, files, options, parts));
  printResult(call, reportJson(report), reportLines(report));
}

/** Runs `portfolios share`: makes a portfolio public or private. No token can read it because of that. */
export async function share(call: Call): Promise<void> {
  const portfolioId = call.operands[0]!;
  const isPublic = call.has("public");
  if (isPublic === call.has("private")) throw usageError("give either --public or --private");
  const { wasPublic } = await manage(call, of(portfolioId), (portfolios) => portfolios.share(portfolioId, isPublic));
  const state = isPublic ? "public" : "private";
  const changed = wasPublic !== isPublic;
  const text = changed ? `${portfolioId} is ${state}` : `${portfolioId} was ${state} before`;
  printResult(call, { portfolio_id: portfolioId, is_public: isPublic, changed }, [text]);
}

/** Runs `portfolios transfer`: transfers a portfolio to another account. */
export async function transfer(call: Call): Promise<void> {
  const portfolioId = call.operands[0]!;
  const to = call.flag("to");
  if (to === undefined) throw usageError("--to is missing: name the new owner's account");
  const scope = { ...of(portfolioId), lots: portfolioId, removed: portfolioId, also: to };
  const { from } = await manage(call, scope, (portfolios) => portfolios.transfer(portfolioId, to));
  const text = `${portfolioId} belongs to ${to}; tokens of ${from} cannot read it while another account owns it`;
  printResult(call, { portfolio_id: portfolioId, from_account_id: from, account_id: to }, [text]);
}

/** Runs `portfolios remove`: deletes a portfolio with its lots and values. */
export async function remove(call: Call): Promise<void> {
  const portfolioId = call.operands[0]!;
  await manage(call, { ...of(portfolioId), removed: portfolioId }, (portfolios) => portfolios.remove(portfolioId));
  const text = `${portfolioId} is deleted permanently`;
  printResult(call, { portfolio_id: portfolioId, deleted: true }, [text]);
}

/** Values portfolios and prints the result of each. A day that cannot be stored or finalized fails the call, after the other days. */
export async function value(call: Call): Promise<number> {
  const path = await ownFile(call);
  const options = { portfolioId: call.flag("portfolio"), again: call.has("again") };
  const address = privateAddress(call.config);
  const { valuations, damaged } = await withProgress((progress) =>
    address === null
      ? valueFile(path, { clock: systemClock, progress }, { ...options, finalize: true })
      : valueInPrivate(address, path, { monotonicMs: systemClock.monotonicMs, progress }, options),
  );
  const none = ["no portfolio; `npx itemtape portfolios create` makes one"];
  const lines = valuations.flatMap(valuationLines);
  printResult(call, valuations.map(valuationJson), valuations.length === 0 ? none : lines);
  if (damaged !== null) throw damaged;
  return valuations.some(({ refused }) => refused.length > 0) ? exitCodes.badData : exitCodes.ok;
}

/** @throws {OperatorError} while a node values them. */
async function valueInPrivate(...args: Parameters<typeof valueShared>): Promise<FileValuation> {
  const { valueShared: run } = await import("../../jobs/valuation/value-shared.ts");
  const valuations = await run(...args);
  if (valuations !== null) return { valuations, damaged: null };
  throw new OperatorError("a node is valuing portfolios; try again in a minute", exitCodes.temporary);
}

/** Returns the rows that a change of one portfolio needs. */
function of(portfolioId: string): PortfolioScope {
  return { account: { portfolioId }, lots: null };
}

/** Passes the portfolios of the file to `work`, or the ones in `scope` from PostgreSQL. */
async function manage<T>(
  call: Call,
  scope: PortfolioScope,
  work: (portfolios: PortfolioManager, database: Database) => T,
  options: { reads?: boolean } = {},
): Promise<T> {
  const managed = (database: Database) =>
    work(new PortfolioManager({ database, clock: systemClock, ids: systemIds() }), database);
  if (privateAddress(call.config) === null) return withDatabase(call, managed);
  const marketPath = await ownFile(call);
  return withPrivate(call, async (client) => {
    const { workOnPortfolios } = await import("../../store/postgres/portfolio-work.ts");
    return workOnPortfolios(client, scope, { marketPath, ...options }, managed);
  });
}

/** Returns the adapter in `--adapter`, or the adapter for the file's extension. */
function adapterFor(call: Call, file: string): PortfolioAdapterName {
  const names = Object.keys(portfolioAdapters) as PortfolioAdapterName[];
  if (call.flag("adapter") !== undefined) return adapterOf(call, names);
  const ending = /\.([a-z]+)(?:\.gz)?$/i.exec(file)?.[1]?.toLowerCase();
  // The only one of these formats that is a single JSON value.
  if (ending === "json") return "steam-inventory";
  const found = ending === "jsonl" ? "ndjson" : names.find((name) => name === ending);
  if (found !== undefined) return found;
  throw usageError(`${file}: unknown file type; choose with --adapter ${names.join(" or --adapter ")}`);
}

function columnsOf(row: PortfolioSummary): string[] {
  const { portfolioId, isPublic, displayCurrency, priceSource, lots, transactions, valuedDay, name } = row;
  const counts = [String(lots), String(transactions), dayTextOrNull(valuedDay) ?? "-"];
  return [portfolioId, isPublic ? "public" : "private", displayCurrency, priceSource, ...counts, name];
}

function reportLines(report: PortfolioImportReport): string[] {
  const { outcome, dryRun, replace, file, portfolioId, changed, moved, removed, most, valuationsWithout } = report;
  const movedLine = `  context  of ${counted(moved, "lot")} ${dryRun ? "would change" : "changed"}`;
  const rest = [...(moved === 0 ? [] : [movedLine]), ...costLines(report), ...restLines(report)];
  if (outcome === "unchanged") {
    const already = `${portfolioId} already has the ${report.leftOut.length > 0 ? "rest" : "content"} of ${file}`;
    const before = `every row of ${file} was imported into ${portfolioId} before`;
    return [`nothing changed: ${report.leftOut.length > 0 || replace ? already : before}`, ...rest];
  }
  const rows = `${counted(report.lots, "lot")} and ${counted(report.transactions, "ledger row")}`;
  const done = dryRun ? `${rows} can be imported; nothing was written` : `${rows} imported into ${portfolioId}`;
  const before = dryRun ? "would change" : "changed";
  const replaced = `  before   ${counted(changed, "lot")} ${before}, ${removed} ${dryRun ? "would be removed" : "removed"}`;
  const asks =
    dryRun && most.length > 0 ? [`  needs    --remove-most, because ${lossesText(most)} would be removed`] : [];
  const days = `${counted(valuationsWithout, "day")} valued before with other lots`;
  const again = `  valued   ${days}; \`npx itemtape portfolios value --portfolio ${portfolioId} --again\` counts these`;
  return [done, ...(replace ? [replaced] : []), ...asks, ...rest, ...(valuationsWithout === 0 ? [] : [again])];
}

function costLines({ oddCosts }: PortfolioImportReport): string[] {
  const shown = oddCosts.slice(0, oddCostsMax).map(({ name, finding }) => {
    return `  warning  ${displayText(name ?? `item ${finding.lot.itemId}`)} ${oddCostText(finding)}`;
  });
  const more = oddCosts.length - shown.length;
  return [...shown, ...(more > 0 ? [`  warning  ${more} more lots have such a cost, all of them in --json`] : [])];
}

/** Returns lines about lots of the file, or of its inventory, that were not imported. */
function restLines({ leftOut, cutOff }: PortfolioImportReport): string[] {
  const byName = Map.groupBy(leftOut, ({ name }) => name);
  const shown = [...byName].slice(0, leftOutMax).map(([name, lots]) => {
    const which = lots
      .at(-1)!
      .candidates.map(({ itemId, phase }) => `${itemId}${phase === null ? "" : ` (${phase})`}`)
      .join(", ");
    const why = which === "" ? "no item has this name" : `it may be ${which}`;
    return `  left out ${counted(lots.length, "lot")} of \`${displayText(name)}\`: ${why}`;
  });
  const more = byName.size - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [`  left out ${counted(more, "other name")}; --json lists all`] : []),
    ...(cutOff === null ? [] : [`  cut off  ${cutOff}`]),
  ];
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

function valuationLines(valuation: Valuation): string[] {
  const { portfolioId, days, incomplete, replaced, firstDay, lastDay, kept, waitsFor, lateDays, refused } = valuation;
  const span = firstDay === null || lastDay === null ? "" : `, ${dayText(firstDay)} to ${dayText(lastDay)}`;
  const gaps = incomplete === 0 ? "" : `, ${incomplete} of them incomplete`;
  const before = replaced === 0 ? "" : `, ${replaced} replaced`;
  return [
    `${portfolioId}: ${counted(days, "day")} valued${span}${gaps}${before}`,
    ...(kept === 0 ? [] : [`  kept     ${counted(kept, "day")} without current lots or stored prices`]),
    ...(waitsFor === null ? [] : [`  waits    for the daily prices of ${dayText(waitsFor)}`]),
    ...lateDays.map((day) => `  waits    for any price of ${dayText(day)}; none is stored yet`),
    ...refused.map(({ day, why }) => `  refused  ${dayText(day)}: ${why}`),
  ];
}

function portfolioJson(record: PortfolioRecord) {
  return {
    portfolio_id: record.portfolioId,
    account_id: record.accountId,
    name: record.name,
    display_currency: record.displayCurrency,
    price_source: record.priceSource,
    is_public: record.isPublic,
    created_at: toTimestamp(record.createdAt),
    updated_at: toTimestamp(record.updatedAt),
  };
}

function summaryJson(row: PortfolioSummary) {
  return {
    ...portfolioJson(row),
    holding_count: row.lots,
    transaction_count: row.transactions,
    valued_on: dayTextOrNull(row.valuedDay),
  };
}

function reportJson(report: PortfolioImportReport) {
  return {
    portfolio_id: report.portfolioId,
    file: report.file,
    adapter: report.adapter,
    replace: report.replace,
    dry_run: report.dryRun,
    outcome: report.outcome,
    lots: report.lots,
    changed: report.changed,
    removed: report.removed,
    moved: report.moved,
    transactions: report.transactions,
    valuations_without: report.valuationsWithout,
    left_out: report.leftOut.map(({ ref, name, quantity, candidates }) => ({
      integration_ref: ref,
      market_hash_name: name,
      quantity,
      candidates: candidates.map(({ itemId, phase }) => ({ item_id: itemId, phase })),
    })),
    odd_costs: report.oddCosts.map(({ name, finding: { lot, costCents, ask, ratio } }) => ({
      item_id: lot.itemId,
      market_hash_name: name,
      unit_cost_cents: costCents,
      ask_cents: ask.amount,
      ask_date: dayTextOrNull(ask.day),
      ratio,
    })),
    removes_most: report.most.length > 0,
    cut_off: report.cutOff,
  };
}

function valuationJson({ portfolioId, firstDay, lastDay, waitsFor, lateDays, refused, ...counts }: Valuation) {
  return {
    portfolio_id: portfolioId,
    ...counts,
    from: dayTextOrNull(firstDay),
    to: dayTextOrNull(lastDay),
    waits_for: dayTextOrNull(waitsFor),
    late: lateDays.map(dayText),
    refused: refused.map(({ day, why }) => ({ date: dayText(day), why })),
  };
}
