import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { backoffMs } from "../values/time/backoff.ts";
import { minuteMs, secondMs } from "../values/time/calendar.ts";
import { systemClock } from "../values/time/clock.ts";
import { timestampName } from "./folder.ts";
import { ReleaseRefusal } from "./refusal.ts";

export type ReleaseSource = {
  /** The folder or address, for messages. */
  readonly name: string;
  /**
   * Reads a file. Null if it is missing.
   * @throws {ReleaseRefusal} when it has more than `bytesMax` bytes, cannot be read, or is too slow.
   */
  read(name: string, bytesMax: number): Promise<Buffer | null>;
};

/**
 * Minimum speed of an address. A request has `graceMs` and the time for its largest content at this speed. All requests together must reach
 * it after `startMs`.
 */
export type Pace = { bytesPerSecond: number; graceMs: number; startMs: number };

const usualPace: Pace = { bytesPerSecond: 16 * 1024, graceMs: 10 * secondMs, startMs: minuteMs };
const attempts = 4;
const retry = { firstMs: 250, maxMs: 8 * secondMs };

/**
 * Opens a release folder, or its address on a web server or object store.
 * @throws {OperatorError} when the address is not a valid release address.
 */
export function openSource(place: string, signal: AbortSignal, pace = usualPace): ReleaseSource {
  const address = releaseAddress(place);
  return address === null ? folderSource(place) : webSource(address, signal, pace);
}

/**
 * Returns the release address, with a final slash. Null if `place` is a folder path.
 * @throws {OperatorError} when the address is invalid, or contains a secret, which the log and messages would show.
 */
export function releaseAddress(place: string): URL | null {
  if (!/^https?:\/\//i.test(place)) return null;
  const address = URL.canParse(place) ? new URL(place) : null;
  if (address === null || address.username + address.password + address.search + address.hash !== "") {
    const takes = "must be http:// or https:// with a host and a path, without user, password and query";
    throw new OperatorError(`the address of the releases: ${takes}`, exitCodes.usage);
  }
  if (!address.pathname.endsWith("/")) address.pathname += "/";
  return address;
}

function folderSource(place: string): ReleaseSource {
  return {
    name: place,
    async read(name, bytesMax) {
      try {
        return readBounded(join(place, name), bytesMax);
      } catch (error) {
        const { code, syscall } = error as NodeJS.ErrnoException;
        if (code === "ENOENT" || code === "ENOTDIR") return null;
        if (syscall === undefined) throw error;
        throw new ReleaseRefusal("unreachable", `${join(place, name)} cannot be read (${code})`);
      }
    },
  };
}

function readBounded(path: string, bytesMax: number): Buffer {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size > bytesMax) throw tooLarge(path, bytesMax);
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0));
  } finally {
    closeSync(file);
  }
}

function webSource(base: URL, signal: AbortSignal, pace: Pace): ReleaseSource {
  const name = base.origin + base.pathname;
  const speed = new Speed(name, pace);
  return {
    name,
    async read(file, bytesMax) {
      for (let attempt = 1; ; attempt += 1) {
        const end = speed.begin();
        try {
          return end(await fetchBounded(new URL(file, base), bytesMax, { signal, pace }));
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof ReleaseRefusal) throw error;
          end(null);
          if (attempt === attempts) throw new ReleaseRefusal("unreachable", reasonOf(error, base.origin));
          await setTimeout(backoffMs(attempt, retry), undefined, { signal });
        }
      }
    },
  };
}

/** Speed of an address while at least one request is open. */
class Speed {
  readonly #name: string;
  readonly #pace: Pace;
  #open = 0;
  #sinceMs = 0;
  #ms = 0;
  #bytes = 0;

  constructor(name: string, pace: Pace) {
    this.#name = name;
    this.#pace = pace;
  }

  /** Begins a request. Returns the function that ends it with its content, and refuses a source that is too slow. */
  begin(): <Content extends Buffer | null>(content: Content) => Content {
    if (this.#open === 0) this.#sinceMs = systemClock.monotonicMs();
    this.#open += 1;
    return (content) => {
      this.#open -= 1;
      const now = systemClock.monotonicMs();
      this.#ms += now - this.#sinceMs;
      this.#sinceMs = now;
      this.#bytes += content?.length ?? 0;
      const { bytesPerSecond, startMs } = this.#pace;
      const perSecond = (this.#bytes / this.#ms) * secondMs;
      if (this.#ms <= startMs || perSecond >= bytesPerSecond) return content;
      throw new ReleaseRefusal(
        "slow",
        `${this.#name} sends ${Math.round(perSecond)} of ${bytesPerSecond} bytes a second`,
      );
    };
  }
}

/** Redirects are not followed: only the address that the operator configured may provide releases. */
async function fetchBounded(
  url: URL,
  bytesMax: number,
  { signal, pace }: { signal: AbortSignal; pace: Pace },
): Promise<Buffer | null> {
  const tooSlow = AbortSignal.timeout(Math.ceil(pace.graceMs + (bytesMax / pace.bytesPerSecond) * secondMs));
  // Any cache may provide immutable files, but not the newest timestamp.
  const fresh: Record<string, string> = url.pathname.endsWith(`/${timestampName}`)
    ? { "Cache-Control": "no-cache" }
    : {};
  const headers = { "Accept-Encoding": "identity", ...fresh };
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, tooSlow]), redirect: "manual", headers });
    if (answer.status === 200 && answer.body !== null) return await bodyOf(answer, url.pathname, bytesMax);
    await answer.body?.cancel();
    if (answer.status === 404 || answer.status === 410) return null;
    const refusal = `${url.origin} answers ${answer.status} for ${url.pathname}`;
    throw isBusy(answer.status) ? new Error(refusal) : new ReleaseRefusal("unreachable", refusal);
  } catch (error) {
    if (!tooSlow.aborted) throw error;
    throw new ReleaseRefusal("slow", `${url.href} sends less than ${pace.bytesPerSecond} bytes a second`);
  }
}

/**
 * Reads the body of an answer. Errors call it `name`.
 * @throws {ReleaseRefusal} when it has more than `bytesMax` bytes.
 */
export async function bodyOf({ body }: Response, name: string, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes > bytesMax) throw tooLarge(name, bytesMax);
  }
  return Buffer.concat(parts);
}

function isBusy(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function reasonOf(error: unknown, origin: string): string {
  const { cause, message } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return code === undefined ? message : `${origin} did not answer (${code})`;
}

function tooLarge(name: string, bytesMax: number): ReleaseRefusal {
  return new ReleaseRefusal("too_large", `${name} has more than ${bytesMax} bytes`);
}
