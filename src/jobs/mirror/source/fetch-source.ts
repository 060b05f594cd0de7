import { readFileSource } from "./file-source.ts";
import { fetchHttp } from "./http-source.ts";
import { type Fetched, type FetchParts, SourceFailure, type SourceLimits, type Validator } from "./source.ts";
import type { SourceSecrets } from "./source-secrets.ts";

/** The place of a feed: an address with what its requests carry from the environment, or a file of this machine. */
export type Source = { kind: "http"; url: string; secrets?: SourceSecrets } | { kind: "file"; path: string };

/** Parts of the longest silence: each that passes while nothing comes is counted. */
const silenceParts = 10;

/**
 * Asks a source for its body once. `validator` belongs to the content that the caller has; null asks unconditionally.
 * @throws {SourceFailure} when there is no whole answer within `limits`; the reason of `signal` when that is aborted.
 */
export async function fetchSource(
  source: Source,
  validator: Validator | null,
  limits: SourceLimits,
  parts: FetchParts,
): Promise<Fetched> {
  const cut = new AbortController();
  const cutBy = (why: string) => () => cut.abort(new SourceFailure(why));
  const stop = () => cut.abort(parts.signal.reason);
  const deadline = setTimeout(cutBy(`took longer than ${limits.timeoutMs / 1000} s`), limits.timeoutMs);
  const silence = new Silence(limits.stallMs, cutBy(`sent nothing for ${limits.stallMs / 1000} s`));
  if (parts.signal.aborted) stop();
  parts.signal.addEventListener("abort", stop, { once: true });
  const under = { ...limits, ...parts, signal: cut.signal, alive: () => silence.broken() };
  if (parts.held !== undefined) parts.held.cut = (failure) => cut.abort(failure);
  const asked =
    source.kind === "http" ? fetchHttp(source, validator, under) : readFileSource(source.path, validator, under);
  try {
    // Whatever becomes of what is asked, nothing outlasts the deadline.
    return await Promise.race([asked, rejection(cut.signal)]);
  } catch (error) {
    asked.catch(() => undefined);
    throw cut.signal.aborted ? cut.signal.reason : error;
  } finally {
    clearTimeout(deadline);
    silence.end();
    parts.signal.removeEventListener("abort", stop);
    if (parts.held !== undefined) parts.held.cut = null;
  }
}

/**
 * Tells when a source has said nothing for too long. Only time counts in which this thread could have heard it: whatever takes long in
 * between is one part of the silence, and the last part is judged when what has come by then was read.
 */
class Silence {
  readonly #parts: NodeJS.Timeout;
  #passed = 0;

  constructor(msMax: number, tell: () => void) {
    const judge = () => this.#passed > silenceParts && tell();
    this.#parts = setInterval(() => {
      this.#passed += 1;
      if (this.#passed > silenceParts) setImmediate(judge);
    }, msMax / silenceParts);
  }

  broken(): void {
    this.#passed = 0;
  }

  end(): void {
    clearInterval(this.#parts);
    this.#passed = 0;
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Returns a source as logs name it: an address without its query, which may contain a secret. */
export function sourceName(source: Source): string {
  if (source.kind === "file") return source.path;
  const { origin, pathname } = new URL(source.url);
  return origin + pathname;
}

/** Returns what the requests of a source carry from the environment; null: nothing. */
export function secretsOf(source: Source): SourceSecrets | null {
  return source.kind === "http" ? (source.secrets ?? null) : null;
}
