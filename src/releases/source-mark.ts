import { stat } from "node:fs/promises";
import { join } from "node:path";
import { secondMs } from "../values/time/calendar.ts";
import { latestName } from "./folder.ts";
import { manifestBytesMax, sha256Of } from "./manifest.ts";
import { ReleaseRefusal } from "./refusal.ts";
import { bodyOf, releaseAddress } from "./source.ts";

const requestMs = 15 * secondMs;
/** A server's times are of whole seconds: a file that is this old will not change again within the second that they name. */
const settledMs = 2 * secondMs;

/**
 * Tells cheaply whether the newest manifest of a source has changed: a folder by what the file system knows of the file, an address by
 * a conditional request. What the mark is made of means nothing; each look returns another where the manifest may be another.
 */
export class SourceMark {
  readonly #place: string;
  /** Null: the place is a folder. */
  readonly #address: URL | null;
  #mark = "";
  /** Headers of the next request. */
  #conditions: Record<string, string> = {};

  /** @throws {OperatorError} when the address cannot be one of releases. */
  constructor(place: string) {
    this.#place = place;
    this.#address = releaseAddress(place);
  }

  /** @throws {ReleaseRefusal} `unreachable`. */
  look(signal: AbortSignal): Promise<string> {
    return this.#address === null ? this.#stat() : this.#request(new URL(latestName, this.#address), signal);
  }

  async #stat(): Promise<string> {
    const path = join(this.#place, latestName);
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
    const manifest = await bodyOf(answer, latestName, manifestBytesMax);
    // Only now: after a body that broke off, "not changed" would be told of what was never read.
    if (isSettled && etag != null) this.#conditions = { "If-None-Match": etag };
    else if (isSettled && changed != null) this.#conditions = { "If-Modified-Since": changed };
    return sha256Of(manifest);
  }
}
