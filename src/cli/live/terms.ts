import { dirname, resolve } from "node:path";
import { readMapping } from "../../import/quotes/mapping.ts";
import type { WrittenFeed } from "../../jobs/mirror/mirror-config.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { systemClock, toTimestamp } from "../../values/time/clock.ts";
import { type Call, usageError } from "../command.ts";

/** A feed with the address of its terms, undefined if it is unknown, and what they say about handing prices on. */
type Terms = { feed: WrittenFeed; url: string | undefined; lines: string[] };

/**
 * Shows the terms of feeds to which nobody has said yes, and asks once. Returns all feeds with the yes beside each.
 * `named`: names of feeds of this command line; of others only those are asked about that were asked about before.
 * @throws {OperatorError} when the answer is no, or no person is there to ask and `--terms-read` is missing.
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
  if (out.ask === undefined) throw usageError("no terminal is there to ask on; read the terms, then add --terms-read");
  const answer = await out.ask(`Have you read ${count === 1 ? "them" : "all of them"}? (y/N) `);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new OperatorError("nothing was done: read the terms first, then run the same command again", exitCodes.usage);
}

/** `folder`: the folder of the configuration, to which its mappings are relative. */
function termsOf(feed: WrittenFeed, folder: string): Terms {
  const { provider, terms_url: url, terms_read_on: readOn, redistribution } = readMapping(feed.mapping!, folder);
  const says =
    redistribution === "not_allowed"
      ? `They do not allow you to hand its prices on (read on ${readOn}).`
      : "Whether you may hand its prices on is unknown: keep them to yourself until you have read it there.";
  return {
    feed,
    url,
    lines: [
      `${provider.name} is asked every ${feed.interval_seconds} s at ${feed.source}`,
      `  terms: ${url ?? "no address is known; look for them at the source"}`,
      `  ${says}`,
    ],
  };
}
