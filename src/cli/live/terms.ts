import { dirname, resolve } from "node:path";
import { readMapping } from "../../import/quotes/mapping.ts";
import type { WrittenFeed } from "../../jobs/mirror/mirror-config.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { systemClock, toTimestamp } from "../../values/time/clock.ts";
import { type Call, usageError } from "../command.ts";

/** A feed with the address of its terms, undefined if unknown, and the terms' rules about redistributing prices. */
type Terms = { feed: WrittenFeed; url: string | undefined; lines: string[] };

/**
 * Shows the terms of feeds that the operator has not accepted, and asks once. Returns all feeds with their acceptance. `named`: names of
 * feeds on this command line. Other feeds are included only if they were accepted before.
 * @throws {OperatorError} when the operator declines, or without a terminal and `--terms-read`.
 */
export async function withReadTerms(
  call: Call,
  feeds: readonly WrittenFeed[],
  named: ReadonlySet<string>,
): Promise<WrittenFeed[]> {
  const open = feeds
    .filter(({ feed, terms }) => named.has(feed) || terms !== undefined)
    .map((feed) => termsOf(feed, dirname(resolve(call.config.mirrorConfig))))
    .filter(({ feed: { terms, source }, url }) => terms === undefined || terms.url !== url || terms.source !== source);
  if (open.length === 0) return [...feeds];
  for (const { lines } of open) for (const line of lines) call.out.note(line);
  await refuseUnlessRead(call, open.length);
  const readAt = toTimestamp(systemClock.now());
  const yes = new Map(
    open.map(({ feed, url }) => [
      feed.feed,
      { ...(url !== undefined && { url }), source: feed.source, read_at: readAt },
    ]),
  );
  return feeds.map((feed) => ({ ...feed, ...(yes.has(feed.feed) && { terms: yes.get(feed.feed)! }) }));
}

async function refuseUnlessRead({ has, out }: Call, count: number): Promise<void> {
  if (has("terms-read")) return;
  if (out.ask === undefined) throw usageError("a question needs a terminal; read the terms, then add --terms-read");
  const answer = await out.ask(`Have you read ${count === 1 ? "them" : "all of them"}? (y/N) `);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new OperatorError("nothing was done: read the terms first, then run the same command again", exitCodes.usage);
}

/** `folder`: the folder of the configuration. Its mappings are relative to it. */
function termsOf(feed: WrittenFeed, folder: string): Terms {
  const {
    provider,
    terms_url: url,
    terms_read_on: readOn,
    redistribution,
    attribution,
  } = readMapping(feed.mapping!, folder);
  const says =
    redistribution === "not_allowed"
      ? `They do not allow you to pass on its prices (${readOn == null ? "not read yet" : `read on ${readOn}`}).`
      : "It is unknown if you may pass on its prices; keep them private until you have read the terms.";
  return {
    feed,
    url,
    lines: [
      `${provider.name} is polled every ${feed.interval_seconds} s at ${feed.source}`,
      `  terms: ${url ?? "the address is unknown; look for them at the source"}`,
      `  ${says}`,
      ...(attribution == null ? [] : [`  Show beside its prices: ${attribution}`]),
    ],
  };
}
