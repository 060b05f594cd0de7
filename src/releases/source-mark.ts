import { stat } from "node:fs/promises";
import { join } from "node:path";
import { secondMs } from "../values/time/calendar.ts";
import { timestampName } from "./folder.ts";
import { sha256Of } from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import { bodyOf, releaseAddress } from "./source.ts";

const requestMs = 15 * secondMs;
const timestampBytesMax = 16_384;
/** HTTP times have a resolution of one second. A file of this age no longer changes within its named second. */
const settledMs = 2 * secondMs;

/**
 * Detects cheaply whether the timestamp of a source has changed. A folder is checked by file metadata, an address by a conditional
 * request. The mark is opaque: it changes whenever the timestamp may have changed.
 */
export class SourceMark {
  readonly #place: string;
  /** Null if the place is a folder. */
  readonly #address: URL | null;
  #mark = "";
  /** Headers of the next request. */
  #conditions: Record<string, string> = {};

  /**
   * Creates a mark for a folder or address.
   * @throws {OperatorError} when the address is not a valid release address.
   */
  constructor(place: string) {
    this.#place = place;
    this.#address = releaseAddress(place);
  }

  /**
   * Returns the current mark.
   * @throws {ReleaseRefusal} `unreachable`.
   */
  look(signal: AbortSignal): Promise<string> {
    return this.#address === null ? this.#stat() : this.#request(new URL(timestampName, this.#address), signal);
  }

  async #stat(): Promise<string> {
    const path = join(this.#place, timestampName);
    try {
      const { ino, size, mtimeNs } = await stat(path, { bigint: true });
      return `${ino} ${size} ${mtimeNs}`;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return "missing";
      throw new ReleaseRefusal("unreachable", `${path} cannot be read (${code})`);
    }
  }

  async #request(url: URL, signal: AbortSignal): Promise<string> {
    try {
      const answer = await fetch(url, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
        redirect: "manual",
        headers: { "Accept-Encoding": "identity", "Cache-Control": "no-cache", ...this.#conditions },
      });
      if (answer.status === 304) await answer.body?.cancel();
      else this.#mark = await this.#markOf(answer);
      return this.#mark;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ReleaseRefusal) throw error;
      const { cause, message } = error as Error;
      const { code } = (cause ?? {}) as NodeJS.ErrnoException;
      throw new ReleaseRefusal("unreachable", `${url.origin} did not answer (${code ?? message})`);
    }
  }

  async #markOf(answer: Response): Promise<string> {
    this.#conditions = {};
    if (answer.status !== 200) {
      await answer.body?.cancel();
      if (answer.status === 404 || answer.status === 410) return "missing";
      throw new ReleaseRefusal("unreachable", `${new URL(answer.url).origin} answers ${answer.status}`);
    }
    const [etag, changed, now] = ["etag", "last-modified", "date"].map((name) => answer.headers.get(name));
    const isSettled = Date.parse(now ?? "") - Date.parse(changed ?? "") >= settledMs;
    const timestamp = await bodyOf(answer, timestampName, timestampBytesMax);
    // Set only after a complete body: otherwise a later 304 would confirm a timestamp that was never read.
    if (isSettled && etag != null) this.#conditions = { "If-None-Match": etag };
    else if (isSettled && changed != null) this.#conditions = { "If-Modified-Since": changed };
    return sha256Of(timestamp);
  }
}
