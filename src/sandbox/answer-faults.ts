import { gunzipSync, gzipSync } from "node:zlib";
import { type Fault, type Figures, headerOf, headersWithout, sendWhole, type Turn } from "./turn.ts";

/** Changes the text of an answer; null: it has no place for the fault. */
type Edit = (text: string, turn: Turn, figures: Figures) => string | null;

/** Answers that are edited: with another text their tag and length are others, too. */
const replaced = ["content-length", "transfer-encoding", "etag", "connection", "keep-alive"];

/** Returns the fault that answers as the server does with an edited text, in the same coding. */
export function editing(about: string, edit: Edit, figures: Fault["figures"] = {}): Fault {
  return {
    about,
    figures,
    async act(turn, given) {
      const answer = await turn.fetch(["if-none-match"]);
      const isGzip = headerOf(answer.headers, "content-encoding") === "gzip";
      const text = (isGzip ? gunzipSync(answer.body) : answer.body).toString("utf8");
      const edited = answer.status === 200 ? edit(text, turn, given) : null;
      turn.entry.applied = edited !== null;
      if (edited === null) {
        sendWhole(turn, answer);
        return;
      }
      const body = isGzip ? gzipSync(edited) : Buffer.from(edited);
      const headers = [...headersWithout(answer.headers, replaced), "Content-Length", String(body.length)];
      sendWhole(turn, { ...answer, headers, body });
    },
  };
}

type Json = Record<string, unknown>;

/** Returns the fault that edits an answer of one JSON object. `edit` returns whether there was a place for it. */
export function editingJson(about: string, edit: (answer: Json, turn: Turn) => boolean): Fault {
  return editing(about, (text, turn) => {
    const answer = parsed(text);
    return answer !== null && edit(answer, turn) ? JSON.stringify(answer) : null;
  });
}

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // Lines of a stream, or no JSON at all.
    return null;
  }
}

/** Returns whether a value of JSON is an object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
