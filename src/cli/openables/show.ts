import { type PoolState, type PoolVersion, poolState } from "../../import/pools/pool-state.ts";
import { PoolWriter } from "../../store/write/openables.ts";
import { plural } from "../../values/text/counted.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayOf, dayText, dayTextOrNull } from "../../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../../values/time/clock.ts";
import type { Call } from "../command.ts";
import { ownFile, reading } from "../open.ts";
import { printJson, printList } from "../print.ts";

/** Maximum characters of a line with text from a file. A common denominator of 1000 digits fits. */
const lineCharsMax = 4000;

type ListedPool = ReturnType<PoolWriter["list"]>[number];

/** Lists all pools, or prints one. */
export async function show(call: Call): Promise<void> {
  const [slug] = call.operands;
  const path = await ownFile(call);
  if (slug === undefined) return list(call, await reading(path, (database) => new PoolWriter(database).list()));
  const state = await reading(path, (database) => poolState(database, slug));
  if (call.has("json")) printJson(call, stateJson(state));
  else for (const line of stateText(state)) call.out.line(displayText(line, lineCharsMax));
}

function list(call: Call, rows: readonly ListedPool[]): void {
  const head = ["SLUG", "STATE", "TYPE", "REVISION", "OUTCOMES", "ODDS", "DRAFT"];
  const columns = rows.map(({ slug, state, type, revisionNumber, outcomeCount, oddsSource, draftedAt }) => [
    slug,
    state,
    type,
    String(revisionNumber ?? "-"),
    String(outcomeCount ?? "-"),
    oddsSource ?? "-",
    draftedAt === null ? "-" : dayText(dayOf(draftedAt)),
  ]);
  printList(call, rows.map(listedJson), head, columns);
}

function listedJson(row: ListedPool) {
  return {
    slug: row.slug,
    name: row.name,
    item_id: row.itemId,
    state: row.state,
    type: row.type,
    revision_id: row.revisionId,
    revision_number: row.revisionNumber,
    outcome_count: row.outcomeCount,
    odds_source: row.oddsSource,
    drafted_at: toTimestampOrNull(row.draftedAt),
  };
}

function stateText({ openable, name, revision, draft }: PoolState): string[] {
  const { slug, state, type, itemId, releasedDay, retiredDay, requiresKey, keyCostCents } = openable;
  return [
    `${slug} (${state}): ${type} "${name}", item ${itemId}`,
    `  key       ${requiresKey ? `${keyCostCents} cents` : "none needed"}`,
    `  released  ${dayTextOrNull(releasedDay) ?? "-"}`,
    `  retired   ${dayTextOrNull(retiredDay) ?? "-"}`,
    ...(revision === null
      ? ["no revision is published"]
      : [
          `revision ${revision.revisionNumber} (${revision.revisionId}), published ${toTimestamp(revision.publishedAt)}`,
          ...versionText(revision),
        ]),
    ...(draft === null ? [] : [`draft of ${toTimestamp(draft.draftedAt)}`, ...versionText(draft)]),
    ...(draft?.blocks ?? []).map(({ kind, reason }) => `  blocked   ${reason} (${kind})`),
  ];
}

function versionText({ definition, provenance, oddsSource, tiers, denominator, outcomeCount }: PoolVersion): string[] {
  const { odds, wear, counter_chance: counter, edition } = definition;
  const width = Math.max(...tiers.map(({ tier }) => tier.length));
  return [
    `  odds      ${oddsSource}: ${odds.reference}`,
    `  wear      ${wear.model}: ${wear.reference}`,
    `  counter   ${counter ?? "unknown"}; edition ${edition}`,
    `  source    ${sourceText(provenance)}`,
    ...(definition.completed === undefined
      ? []
      : [`  completed ${plural(definition.completed.items.length, "item")} added: ${definition.completed.reference}`]),
    ...(outcomeCount === null ? [] : [`  outcomes  ${outcomeCount}, over ${denominator}`]),
    ...tiers.map(({ tier, weight, itemCount, probabilityPct }) => {
      const share = probabilityPct === null ? "" : `  ${probabilityPct} %`;
      return `    ${tier.padEnd(width)}  weight ${weight ?? "unknown"}${share}  ${plural(itemCount, "item")}`;
    }),
  ];
}

function sourceText(provenance: unknown): string {
  const { source, files } = provenance as { source: string; files: { name: string; sha256: string }[] };
  return [source, ...files.map(({ name, sha256 }) => `${name} (sha256 ${sha256})`)].join(", ");
}

function stateJson({ openable, name, revision, draft }: PoolState) {
  const { slug, state, type, itemId, releasedDay, retiredDay, requiresKey, keyCostCents } = openable;
  return {
    slug,
    name,
    item_id: itemId,
    state,
    type,
    requires_key: requiresKey,
    key_cost_cents: keyCostCents,
    released_on: dayTextOrNull(releasedDay),
    retired_on: dayTextOrNull(retiredDay),
    revision: revision && {
      revision_id: revision.revisionId,
      revision_number: revision.revisionNumber,
      published_at: toTimestamp(revision.publishedAt),
      ...versionJson(revision),
    },
    draft: draft && {
      drafted_at: toTimestamp(draft.draftedAt),
      ...versionJson(draft),
      blocked: draft.blocks.map(({ kind, reason }) => ({ kind, says: reason })),
    },
  };
}

function versionJson({ definition, provenance, oddsSource, tiers, denominator, outcomeCount }: PoolVersion) {
  return {
    odds_source: oddsSource,
    outcome_count: outcomeCount,
    denominator,
    tiers: tiers.map(({ tier, weight, itemCount, probabilityPct }) => {
      return { tier, weight, probability_pct: probabilityPct, item_count: itemCount };
    }),
    provenance,
    definition,
  };
}
