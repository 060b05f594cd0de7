import { plural } from "../../../values/text/counted.ts";

/** Maximum number of records shown. Others are only counted. */
const shownRecordsMax = 4;
const shownCharactersMax = 600;

/** Returns whether a media type is a stream of records. */
export function isStream(mediaType: string | null): boolean {
  return mediaType?.startsWith("application/x-ndjson") ?? false;
}

/** Reads a stream to its end without keeping it, because a market is large. Returns some of its records, and how it ended. */
export async function streamSummary(body: ReadableStream<Uint8Array>): Promise<{ text: string; verdict: string }> {
  const first: string[] = [];
  let last = "";
  let records = 0;
  let rest = "";
  let cut: string | null = null;
  try {
    for await (const part of textOf(body)) {
      const lines = (rest + part).split("\n");
      rest = lines.pop() ?? "";
      first.push(...lines.slice(0, shownRecordsMax - first.length).map(shortened));
      records += lines.length;
      last = lines.at(-1) ?? last;
    }
  } catch (error) {
    cut = String(error);
  }
  const hidden = records - first.length - 1;
  const end = hidden < 0 ? [] : [...(hidden > 0 ? [`… ${plural(hidden, "record")} …`] : []), shortened(last)];
  return { text: [...first, ...end].join("\n"), verdict: verdict({ records, last, rest, cut }) };
}

type End = { records: number; last: string; rest: string; cut: string | null };

function verdict({ records, last, rest, cut }: End): string {
  if (cut !== null || rest !== "") return `Broken off after ${plural(records, "record")}: not to be used. ${cut ?? ""}`;
  const { type, items, code } = parsed(last);
  if (type === "error") return `Ended with ${code}: not to be used.`;
  if (type !== "end") return "Closed without an end record: not to be used.";
  if (items !== records - 2)
    return `The end record counts ${plural(items ?? 0, "item")}, ${records - 2} arrived: do not use the data.`;
  return `${plural(records, "record")}, ${plural(items, "item")}, closed by an end record. Only some are shown here; the samples keep and check all.`;
}

function parsed(line: string): { type?: string; items?: number; code?: string } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

function shortened(line: string): string {
  return line.length <= shownCharactersMax ? line : `${line.slice(0, shownCharactersMax)}…`;
}

/** Some browsers cannot iterate a stream directly. */
async function* textOf(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}
