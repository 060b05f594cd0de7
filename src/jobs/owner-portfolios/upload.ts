import { gunzipSync, gzipSync } from "node:zlib";
import { checkedName } from "../../access/accounts.ts";
import type {
  AmbiguousLot,
  Excerpt,
  Upload,
  UploadedFile,
  UploadedLots,
  UploadResult,
} from "../../access/owners/owner-portfolios.ts";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import { type FeedFile, refusedFile } from "../../import/feed-file.ts";
import { oddCostText } from "../../import/guards/lot-costs.ts";
import { isColumn } from "../../import/portfolios/columns.ts";
import type { PortfolioAdapterName } from "../../import/portfolios/parsed-rows.ts";
import {
  bytesMaxOf,
  type ImportedLot,
  importPortfolioFiles,
  inventoryBytesMax,
  lossesText,
  type PortfolioFile,
  type PortfolioImportReport,
} from "../../import/portfolios/portfolio-import.ts";
import { bareInventory } from "../../import/portfolios/steam-inventory.ts";
import type { Unresolved } from "../../import/portfolios/validate-rows.ts";
import type { Database } from "../../store/database.ts";
import { markReal } from "../../store/write/demo-mark.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { Ids } from "../../values/ids.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { OwnersPortfolio } from "./changes.ts";

/** `marksReal` marks the file as real data of its owners. */
type Parts = { database: Database; clock: Clock; ids: Ids; marksReal: boolean };

/** Maximum entries of each displayed list. The limit must cover all choices of a form. */
const groupsShown = 100;
const ambiguousShown = 300;
const unknownShown = 100;
const oddCostsShown = 20;

/**
 * Imports or previews files of an owner, like `portfolios import --leave-out`.
 * @throws {OwnerRefusal} `conflict` when a file is rejected, with one line per error. The import then stores no row.
 */
export function importUpload(parts: Parts, portfolio: OwnersPortfolio, upload: Upload): UploadResult {
  try {
    return imported(parts, portfolio, upload);
  } catch (error) {
    // The message is unchanged: its first word may be the file name.
    if (error instanceof OperatorError) throw new OwnerRefusal("conflict", error.message);
    throw error;
  }
}

function imported(parts: Parts, portfolio: OwnersPortfolio, upload: Upload): UploadResult {
  portfolio.authorize({ writes: false });
  const files = upload.files.map(fileOf);
  const { replace, removeMost, write, state, isForm = false } = upload;
  const account = upload.account === "" ? "" : checkedName("Steam account", upload.account);
  const choices = new Map(upload.choices);
  const { portfolioId } = portfolio;
  const shown = state === null ? {} : { state };
  const options = {
    portfolioId,
    replace,
    removeMost,
    account,
    dryRun: !write,
    leaveOut: true,
    choices,
    isForm,
    ...shown,
  };
  const authorize = () => {
    portfolio.authorize({ writes: true });
    // Owner data must survive a recreated demo.
    if (parts.marksReal) markReal(parts.database);
  };
  const report = importPortfolioFiles(parts.database, files, options, { ...parts, authorize });
  const { lots, changed, removed, moved, transactions, most, cutOff, leftOut, oddCosts } = report;
  return {
    lots,
    changed,
    removed,
    moved,
    transactions,
    added: excerpt(groupsOf(report.added), groupsShown),
    gone: excerpt(groupsOf(report.gone), groupsShown),
    ambiguous: excerpt(leftOut.flatMap(ambiguousOf), ambiguousShown),
    unknown: excerpt(unknownOf(leftOut), unknownShown),
    leftOut: leftOut.length,
    oddCosts: excerpt(oddCosts.map(oddCostOf), oddCostsShown),
    most: most.length === 0 ? null : lossesText(most),
    cutOff,
    state: report.state,
    files: write ? [] : files.map(packed),
  };
}

function fileOf(sent: UploadedFile): PortfolioFile {
  const body = bodyOf(sent);
  const adapter = adapterOf(body);
  if (body.bytes.length > bytesMaxOf(adapter)) throw refusedFile(body.name, `larger than ${bytesMaxOf(adapter)} bytes`);
  return { ...body, adapter };
}

function packed(file: PortfolioFile): Uint8Array {
  return gzipSync(file.adapter === "steam-inventory" ? bareInventory(file) : file.bytes);
}

function bodyOf({ name, bytes }: UploadedFile): FeedFile {
  const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (sent.length === 0) throw refusedFile(name, "it is empty");
  if (sent[0] !== 0x1f || sent[1] !== 0x8b) return { name, bytes: sent };
  try {
    return { name, bytes: gunzipSync(sent, { maxOutputLength: inventoryBytesMax }) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isLong = code === "ERR_BUFFER_TOO_LARGE";
    throw refusedFile(name, isLong ? `unpacks to more than ${inventoryBytesMax} bytes` : `broken gzip (${code})`);
  }
}

/** Detects the format by the first characters. JSON begins with a bracket or is `null`; rows begin with a column name. */
function adapterOf({ bytes }: FeedFile): PortfolioAdapterName {
  const start = bytes
    .subarray(0, 4096)
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  if (!/^(?:\{|\[|null\s*$)/.test(start)) return "csv";
  return isColumn(/^\{\s*"([a-z_]+)"/.exec(start)?.[1] ?? "") ? "ndjson" : "steam-inventory";
}

function excerpt<Entry>(all: readonly Entry[], shown: number): Excerpt<Entry> {
  return { first: all.slice(0, shown), count: all.length };
}

function groupsOf(lots: readonly ImportedLot[]): UploadedLots[] {
  const groups = new Map<string, UploadedLots>();
  for (const { item, quantity, unitCostCents } of lots) {
    const { itemId, marketHashName, phase } = item;
    const key = `${itemId} ${unitCostCents}`;
    const group = groups.get(key) ?? { itemId, marketHashName, phase, unitCostCents, lots: 0, quantity: 0 };
    groups.set(key, { ...group, lots: group.lots + 1, quantity: group.quantity + quantity });
  }
  return [...groups.values()].sort((one, other) => other.quantity - one.quantity || one.itemId - other.itemId);
}

function ambiguousOf({ ref, name, quantity, candidates }: Unresolved): AmbiguousLot[] {
  if (candidates.length === 0) return [];
  const facts = candidates.map(({ itemId, phase, inCatalog }) => ({ itemId, phase, inCatalog }));
  return [{ ref, name, quantity, candidates: facts }];
}

function oddCostOf({ name, finding }: PortfolioImportReport["oddCosts"][number]): { name: string; text: string } {
  return { name: name ?? `Item ${finding.lot.itemId}`, text: oddCostText(finding) };
}

function unknownOf(leftOut: readonly Unresolved[]): { name: string; lots: number }[] {
  const lots = new Map<string, number>();
  for (const { name, candidates } of leftOut) if (candidates.length === 0) lots.set(name, (lots.get(name) ?? 0) + 1);
  return [...lots].map(([name, count]) => ({ name, lots: count }));
}
