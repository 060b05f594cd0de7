import { plural } from "../../values/text/counted.ts";
import { hourMs } from "../../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../../values/time/clock.ts";
import { findingTexts, type GuardFinding, moveText, unjudgedTexts } from "../guards/findings.ts";
import type { BodyMoves, FeedSummary, NamedMove } from "./accept-feed.ts";
import { conflictText } from "./mapping-terms.ts";
import type { RefusalCount } from "./observation.ts";
import type { FrameOutcome } from "./record-frame.ts";
import { type RowSample, rowLines, rowsJson } from "./row-sample.ts";

/** Result of an import of quotes. */
export type ImportReport = FeedSummary & {
  /**
   * `verified` means that its quotes were already published. `recorded` means that it is older than the published body, so only its frame
   * was recorded. `dry_run` means that nothing was written.
   */
  outcome: "published" | "verified" | "recorded" | "dry_run";
  /** Public name of the generation with the body's quotes. Null if no generation has them. */
  generation: string | null;
  refused: readonly RefusalCount[];
  /** The published generation with all feeds. Null if none was published. */
  published: { items: number; bytes: number; digest: string } | null;
  /** The frame of the body's hour. Null if none was requested. */
  frame: Pick<FrameOutcome, "outcome" | "hour"> | null;
  /** Number of completed days with derived daily rows. */
  finalizedDays: number;
  /** A few sample prices. Null unless it is a dry run. */
  rows: Pick<RowSample, "joined" | "unjoined"> | null;
  seconds: number;
  /** Longest time that the write lock was held, in ms. */
  lockHeldMsMax: number;
};

const meanings: Readonly<Record<RefusalCount["reason"], string>> = {
  zero: "zero is not a price",
  negative: "negative",
  fractional_cents: "fractions of a cent",
  non_finite: "not a finite number",
  oversized: "larger than 2^53 - 1 cents",
  unparsable: "no number",
  malformed: "not in the documented shape",
  bad_quantity: "quantity is not a whole number from 1",
  bad_url: "address is not https, or contains credentials",
  bad_time: "observation time is invalid or in the future",
  undeclared_provider: "provider is not in the header",
  unknown_item: "no item has this id",
  unknown_name: "no item has this name",
  ambiguous_name: "several items share this name",
  duplicate: "another row of the same item, provider, side and price",
  conflicting_rows: "another price of the same item, provider and side; the lowest ask or the highest bid counts",
  record_too_large: "its record would exceed 256 KiB",
};

/** Formats the report for people. */
export function reportText(report: ImportReport): string {
  const refused = report.refused.reduce((sum, { count }) => sum + count, 0);
  const joined = report.asks + report.bids;
  const share = joined + refused === 0 ? 0 : (100 * joined) / (joined + refused);
  return [
    `${report.body}: ${headline(report)} in ${report.seconds.toFixed(2)} s`,
    `  joined   ${joined} of ${joined + refused} prices (${share.toFixed(2)} %): ${plural(report.asks, "ask")}, ${plural(report.bids, "bid")}, ${plural(report.items, "item")}`,
    ...(report.feedDerivedItems > 0
      ? [`  derived  ${plural(report.feedDerivedItems, "item")} without a catalog entry`]
      : []),
    ...(report.crossed > 0 ? [`  crossed  ${report.crossed} books, kept`] : []),
    ...(report.absent > 0 ? [`  absent   ${plural(report.absent, "price")} that the file marks as absent`] : []),
    ...(report.olderThan === null
      ? []
      : [`  older    its save time is before the published body of ${toTimestamp(report.olderThan)}, which stays`]),
    ...guardLines(report.guards),
    ...(report.termsConflict === null ? [] : [`  terms    ${conflictText(report.termsConflict)}`]),
    ...(report.moves === null ? [] : movesLines(report.moves)),
    ...report.refused.flatMap(refusalLines),
    ...(report.rows === null ? [] : rowLines(report.rows)),
    ...(report.frame === null ? [] : [`  frame    ${frameText(report.frame)}`]),
    ...(report.finalizedDays > 0 ? [`  days     daily rows derived for ${report.finalizedDays} completed days`] : []),
    ...(report.published === null
      ? []
      : [
          `  now      ${plural(report.published.items, "item")}, ${report.published.bytes} bytes, SHA-256 ${report.published.digest}`,
        ]),
  ].join("\n");
}

/** Formats the report as one JSON object. */
export function reportJson(report: ImportReport): string {
  const {
    feedDerivedItems,
    lockHeldMsMax,
    finalizedDays,
    frame,
    olderThan,
    rows,
    moves,
    guards,
    termsConflict,
    ...rest
  } = report;
  return JSON.stringify({
    ...rest,
    guards: guards.map(({ of: _of, ...finding }) => finding),
    moves: movesJson(moves),
    proven_items: feedDerivedItems,
    older_than: toTimestampOrNull(olderThan),
    frame: frame === null ? null : { outcome: frame.outcome, hour: hourText(frame.hour) },
    settled_days: finalizedDays,
    terms_conflict: termsConflict,
    hold_ms_max: lockHeldMsMax,
    ...(rows === null ? {} : { rows: rowsJson(rows) }),
  });
}

function headline({ outcome, feed, generation }: ImportReport): string {
  if (outcome === "published") return `feed ${feed} published as ${generation}`;
  if (outcome === "verified") return `feed ${feed} verified, nothing changed since ${generation}`;
  if (outcome === "recorded") return `feed ${feed} not published: only the frame of its hour was recorded`;
  return `feed ${feed} read, nothing written (dry run)`;
}

/** Formats the changes of a body as lines for people. */
function movesLines(moves: BodyMoves): string[] {
  return [`  moved    ${movesText(moves)}`, ...moves.largest.map((move) => `             ${quoteMoveText(move)}`)];
}

/** Formats the numbers of new, changed and removed quotes as text. */
export function movesText({ came, changed, went }: BodyMoves): string {
  return `${plural(came, "quote")} came, ${changed} changed, ${went} went`;
}

/** Formats a move with its provider and side. */
export function quoteMoveText({ name, provider, side, ...move }: NamedMove): string {
  return `${moveText(name, move)} (${provider}, ${side.slice(0, -1)})`;
}

/** Formats moves for JSON. */
export function movesJson(moves: BodyMoves | null) {
  if (moves === null) return null;
  const largest = moves.largest.map(({ itemId, name, provider, side, from, to }) => ({
    item_id: itemId,
    name,
    provider,
    side: side.slice(0, -1),
    from_cents: from,
    to_cents: to,
  }));
  return { ...moves, largest };
}

/** Formats accepted and named findings, one per line, and unjudged guards, one line per reason. */
function guardLines(findings: readonly GuardFinding[]): string[] {
  return [
    ...findingTexts(findings, "broken").map((text) => `  accepted ${text}`),
    ...findingTexts(findings, "named").map((text) => `  named    ${text}`),
    ...unjudgedTexts(findings).map((text) => `  guard    ${text}`),
  ];
}

function frameText({ outcome, hour }: Pick<FrameOutcome, "outcome" | "hour">): string {
  return outcome === "recorded"
    ? `recorded for the hour of ${hourText(hour)}`
    : `the hour of ${hourText(hour)} has its frame already; that one stays`;
}

function hourText(hour: number): string {
  return toTimestamp(hour * hourMs);
}

/** Formats the refusals for one reason as lines for people, with examples. */
export function refusalLines({ reason, count, examples }: RefusalCount): string[] {
  return [
    `  refused  ${count} ${reason} (${meanings[reason]})`,
    ...examples.map((example) => `             ${example}`),
    ...(count > examples.length ? [`             and ${count - examples.length} more`] : []),
  ];
}
