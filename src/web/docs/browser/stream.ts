const streamMedia = "application/x-ndjson";

/** Maximum records of a stream that are shown; the rest is read, counted and let go. */
const shownRecordsMax = 4;
const shownCharactersMax = 600;

/** Returns whether an answer of this media type is a stream of records. */
export function isStream(mediaType: string | null) {
  return mediaType?.startsWith(streamMedia) ?? false;
}

/**
 * Reads a stream to its end without keeping it, so that a whole market does not fill the page. Returns some of its records and how it
 * ended.
 */
export async function streamSummary(body: ReadableStream<Uint8Array>) {
  const first: string[] = [];
  let last = "";
  let records = 0;
  let rest = "";
  let cut = null;
  try {
    for await (const part of textOf(body)) {
      const lines = (rest + part).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        records += 1;
        last = line;
        if (first.length < shownRecordsMax) first.push(shortened(line));
      }
    }
  } catch (error) {
    cut = String(error);
  }
  const hidden = records - first.length - 1;
  const shown =
    records > first.length ? [...first, ...(hidden > 0 ? [`… ${hidden} records …`] : []), shortened(last)] : first;
  return { text: shown.join("\n"), verdict: verdict({ records, last, rest, cut }) };
}

function verdict({ records, last, rest, cut }: { records: number; last: string; rest: string; cut: string | null }) {
  if (cut !== null || rest !== "") return `Broken off after ${records} records: not to be used. ${cut ?? ""}`;
  const { type, items, code } = parsed(last);
  if (type === "error") return `Ended with ${code}: not to be used.`;
  if (type !== "end") return "Closed without an end record: not to be used.";
  if (items !== records - 2) return `The end record counts ${items} items, ${records - 2} came: not to be used.`;
  return `${records} records, ${items} items, closed by an end record. Only some are shown here; the samples keep and check all.`;
}

function parsed(line: string) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

function shortened(line: string) {
  return line.length <= shownCharactersMax ? line : `${line.slice(0, shownCharactersMax)}…`;
}

async function* textOf(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}
