type Check = readonly [accepts: (value: unknown) => boolean, takes: string];
/** Checks by key for an object of options. Each value may be `undefined`. */
type Known = Readonly<Record<string, Check>>;

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const isPauseMs = (value: unknown) => Number.isInteger(value) && Number(value) >= 1000 && Number(value) <= 86_400_000;
const aFunction: Check = [(value) => typeof value === "function", "a function"];
const anObject: Check = [isObject, "an object"];
/** The value is checked at its use. */
const anything: Check = [() => true, ""];
const signal: Check = [(value) => value instanceof AbortSignal, "an AbortSignal"];

const list = { signal, retry: anObject };
const stream = { ...list, streamMs: anything, onProgress: aFunction };
const kinds = {
  "the client": {
    baseUrl: anything,
    apiKey: anything,
    userAgent: anything,
    retry: anObject,
    onRetry: aFunction,
    fetch: aFunction,
    parts: anObject,
  },
  parts: { clock: anObject, random: aFunction, wait: aFunction },
  "a call": {
    ...list,
    ifNoneMatch: [(value) => value === null || typeof value === "string", "the `etag` of an answer"],
  },
  "a list": list,
  "a stream": stream,
  "a copy": {
    ...stream,
    since: [(value) => value === null || isObject(value), "a market"],
    pauseMs: [isPauseMs, "a whole number of ms from 1000 to 86400000"],
    refusals: [(value) => value === "wait" || value === "throw", '"wait" or "throw"'],
  },
  "an export": {
    ...stream,
    attempts: anything,
    digest: [(value) => value === "check" || value === "skip", '"check" or "skip"'],
  },
} as const satisfies Readonly<Record<string, Known>>;

/**
 * Checks an object of options.
 * @throws {TypeError} for an unknown option, such as a misspelt one, and for an invalid value.
 */
export function checkOptions(kind: keyof typeof kinds, options: unknown): void {
  const known: Known = kinds[kind];
  if (!isObject(options)) throw new TypeError(`${kind}: the options must be an object`);
  for (const [name, value] of Object.entries(options as object)) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (check === undefined)
      throw new TypeError(`${kind} has no option ${name}; it has ${Object.keys(known).join(", ")}`);
    if (value !== undefined && !check[0](value)) throw new TypeError(`${name}: must be ${check[1]}`);
  }
}
