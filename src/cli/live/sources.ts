import { resolve } from "node:path";
import { type Mapping, readMapping, readyMappings } from "../../import/quotes/mapping.ts";
import type { WrittenFeed } from "../../jobs/mirror/mirror-config.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { perhaps } from "../../values/text/suggestion.ts";
import { type Call, usageError } from "../command.ts";

/** A source of the command line. `isAddressed` is false if its address is from the mapping. */
type NamedSource = { feed: WrittenFeed; mapping: Mapping; isAddressed: boolean };

/** Default poll interval of a source, in seconds. */
const remoteSeconds = 600;
const fileSeconds = 60;

/**
 * Parses the sources of `--live`. Each is `NAME` or `NAME=ADDRESS` of a ready mapping, or a file or address. For each of the latter,
 * `--mapping` names a mapping, in the same order.
 * @throws {OperatorError} when a word is not a source, or a mapping is missing or superfluous.
 */
export function namedSources(call: Call): NamedSource[] {
  const mappings = [...call.flags("mapping")];
  const sources = call
    .flags("live")
    .filter((word) => word !== "")
    .map((word) => sourceOf(word, () => mappings.shift()));
  const [extra] = mappings;
  if (extra !== undefined)
    throw usageError(`--mapping: \`${displayText(extra)}\` belongs to no FILE or URL of --live; name one for each`);
  return sources;
}

function sourceOf(word: string, nextMapping: () => string | undefined): NamedSource {
  const [, name = "", address] = /^([a-z0-9-]+)(?:=(.*))?$/s.exec(word) ?? [];
  const ready = readyMappings();
  if (ready.includes(name)) return readySource(name, address);
  const mapping = nextMapping();
  if (mapping !== undefined) {
    const path = /^[a-z0-9-]+$/.test(mapping) ? mapping : resolve(mapping);
    return { ...source(path, word), isAddressed: true };
  }
  const shown = displayText(word);
  if (name === "") throw usageError(`--live: \`${shown}\` needs --mapping with the mapping of its prices`);
  throw usageError(
    `--live: there is no source \`${shown}\`${perhaps(name, ready)}; there are ${ready.join(", ")}, or name a FILE or URL with --mapping`,
  );
}

function readySource(name: string, address: string | undefined): NamedSource {
  const own = readMapping(name, "/").poll?.source;
  if ((address ?? own ?? "") === "") throw usageError(`--live: ${name} has no address; write ${name}=URL`);
  return { ...source(name, address ?? own!), isAddressed: address !== undefined };
}

/** `place`: an address or the path of a file. */
function source(mappingName: string, place: string): Pick<NamedSource, "feed" | "mapping"> {
  const mapping = readMapping(mappingName, process.cwd());
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
  const { interval_seconds = isAddress ? remoteSeconds : fileSeconds, headers, query } = mapping.poll ?? {};
  const secrets = isAddress ? { ...(headers && { headers }), ...(query && { query }) } : {};
  const common = { feed: mapping.feed, adapter: "mapped", mapping: mappingName };
  return { mapping, feed: { ...common, source: isAddress ? place : resolve(place), interval_seconds, ...secrets } };
}

/**
 * Merges sources into the feeds of a configuration. A feed keeps its operator's settings unless the address differs. `added`: feeds that
 * are new or have another address.
 */
export function mergedFeeds(
  before: readonly WrittenFeed[],
  sources: readonly NamedSource[],
): { feeds: WrittenFeed[]; added: WrittenFeed[] } {
  const feeds = [...before];
  const added: WrittenFeed[] = [];
  for (const { feed, isAddressed } of sources) {
    const index = feeds.findIndex((known) => known.feed === feed.feed);
    const known = feeds[index];
    if (known === undefined) {
      feeds.push(feed);
      added.push(feed);
    } else if (isAddressed && known.source !== feed.source) {
      const moved = { ...known, source: feed.source };
      feeds[index] = moved;
      added.push(moved);
    }
  }
  const twice = sources.find(
    ({ feed }, index) => sources.findIndex((other) => other.feed.feed === feed.feed) !== index,
  );
  if (twice === undefined) return { feeds, added };
  throw new OperatorError(`--live: the feed ${twice.feed.feed} is named twice; leave one out`, exitCodes.usage);
}
