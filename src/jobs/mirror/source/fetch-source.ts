import { readFileSource } from "./file-source.ts";
import { fetchHttp } from "./http-source.ts";
import { type Fetched, type FetchParts, SourceFailure, type SourceLimits, type Validator } from "./source.ts";
import type { SourceSecrets } from "./source-secrets.ts";

/** The source of a feed: an address with the secrets of its requests, or a local file. */
export type Source = { kind: "http"; url: string; secrets?: SourceSecrets } | { kind: "file"; path: string };

/** Number of ticks in `stallMs`. Ticks without data are counted. */
const silenceParts = 10;

/**
 * Requests the body of a source once. `validator` describes the caller's content; pass null for an unconditional request.
 * @throws {SourceFailure} when no complete answer arrives within `limits`, or the reason of `signal` when it is aborted.
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
  if (parts.bodySize !== undefined) parts.bodySize.cut = (failure) => cut.abort(failure);
  const asked =
    source.kind === "http" ? fetchHttp(source, validator, under) : readFileSource(source.path, validator, under);
  try {
    // The deadline applies even if the request never settles.
    return await Promise.race([asked, rejection(cut.signal)]);
  } catch (error) {
    asked.catch(() => undefined);
    throw cut.signal.aborted ? cut.signal.reason : error;
  } finally {
    clearTimeout(deadline);
    silence.end();
    parts.signal.removeEventListener("abort", stop);
    if (parts.bodySize !== undefined) parts.bodySize.cut = null;
  }
}

/**
 * Detects a source that sends nothing for too long. A blocked thread counts as one tick, because it could not have received data. After the
 * last tick, pending data is read before the decision.
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

/** Returns the source for logs: an address without its query, which may contain a secret. */
export function sourceName(source: Source): string {
  if (source.kind === "file") return source.path;
  const { origin, pathname } = new URL(source.url);
  return origin + pathname;
}

/** Returns the secrets that a source's requests carry. Null if they carry none. */
export function secretsOf(source: Source): SourceSecrets | null {
  return source.kind === "http" ? (source.secrets ?? null) : null;
}
