import { gunzipSync, gzipSync } from "node:zlib";
import {
  type Fault,
  type FaultedRequest,
  type Figures,
  headerOf,
  headersWithout,
  sendWhole,
} from "./faulted-request.ts";

/** Edits the text of an answer. Returns null if the fault does not apply to the answer. */
type Edit = (text: string, turn: FaultedRequest, figures: Figures) => string | null;

/** Headers to replace in an edited answer: its length and tag change with the text. */
const replaced = ["content-length", "transfer-encoding", "etag", "connection", "keep-alive"];

/** Returns a fault that edits the server's answer. The content encoding stays the same. */
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

/** Returns a fault that edits a JSON object. `edit` changes it in place, and returns false if the fault does not apply. */
export function editingJson(about: string, edit: (answer: Json, turn: FaultedRequest) => boolean): Fault {
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
    // A stream of lines, or not JSON.
    return null;
  }
}

/** Returns whether a JSON value is an object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
