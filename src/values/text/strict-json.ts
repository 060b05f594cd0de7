/** A number as written, so that money never passes through floating point. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonObject = ReadonlyMap<string, Json>;
export type Json = null | boolean | string | NumberText | readonly Json[] | JsonObject;

/** Error for invalid JSON. `offset` is the position of the fault. */
export class BrokenJson extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = "BrokenJson";
    this.offset = offset;
  }
}

const depthMax = 8;
const valuesMax = 4_000_000;
const stringCharsMax = 4096;
/** `\u0041` is one character. */
const escapeCharsMax = 6;
const knownKeysMax = 256;
const aString = `a string of at most ${stringCharsMax} characters`;

/** Keys to keep in objects deeper than `depth` (the whole value has depth 0). Other keys are parsed and replaced by null. */
export type KeyFilter = { depth: number; keys: ReadonlySet<string> };

/** Passes each member of the top-level object under the key `of` to `take` as soon as it is read. The values are not kept. */
export type MemberSink = { of: string; take(key: string, value: Json): void };

/**
 * Parses one JSON text. Keeps everything if `keyFilter` is null. Unlike `JSON.parse`, it keeps the digits of numbers, refuses repeated keys, and
 * limits depth and count while reading. `NaN` and `Infinity`, which some sources write, become number texts so that each is refused
 * separately.
 * @throws {BrokenJson} with the offset of the fault, if the text is invalid.
 */
export function readJson(text: string, keyFilter: KeyFilter | null = null, sink: MemberSink | null = null): Json {
  const reader = new Reader(text, null, keyFilter, sink);
  const value = reader.value(0);
  reader.end();
  return value;
}

/**
 * Returns the offset of each value in a JSON text, by its pointer (RFC 6901). "" is the whole value.
 * @throws {BrokenJson} as `readJson`.
 */
export function offsetsIn(text: string): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  const reader = new Reader(text, offsets);
  reader.value(0);
  reader.end();
  return offsets;
}

/** Returns whether `value` is a JSON object, not an array or null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map;
}

/** Returns line and column of `offset`, both from 1. Splits nothing: a hostile text may have more lines than an array can hold. */
export function placeIn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let found = text.indexOf("\n"); found !== -1 && found < offset; found = text.indexOf("\n", start)) {
    line += 1;
    start = found + 1;
  }
  return { line, column: offset - start + 1 };
}

/** Converts the value to the result of `JSON.parse`, for a schema validator. */
export function toPlain(value: Json): unknown {
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, inner]) => [key, toPlain(inner)]));
  return value;
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|NaN|-?Infinity/y;
const space = /[ \t\n\r]*/y;
const notPlain = /[\\\u0000-\u001f]/;
const escapedString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

class Reader {
  readonly #text: string;
  #at = 0;
  #values = 0;
  readonly #offsets: Map<string, number> | null;
  readonly #keyFilter: KeyFilter | null;
  readonly #sink: MemberSink | null;
  /** Cache of keys of inner objects, so that equal keys share one string. */
  readonly #keys = new Map<string, string>();
  /** Pointer of the current value; maintained only for `offsets`. */
  #pointer = "";

  /** Pass a map as `offsets` to collect the start of each value by its pointer. */
  constructor(
    text: string,
    offsets: Map<string, number> | null = null,
    keyFilter: KeyFilter | null = null,
    sink: MemberSink | null = null,
  ) {
    this.#text = text;
    this.#offsets = offsets;
    this.#keyFilter = keyFilter;
    this.#sink = sink;
  }

  value(depth: number): Json {
    if (depth > depthMax) throw this.#broken(`nested deeper than ${depthMax}`);
    this.#values += 1;
    if (this.#values > valuesMax) throw this.#broken(`more than ${valuesMax} values`);
    const first = this.#peek();
    this.#offsets?.set(this.#pointer, this.#at);
    switch (first) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return new NumberText(this.#take(number, "a value"));
    }
  }

  end(): void {
    if (this.#peek() !== "") throw this.#broken("text after the end of the value");
  }

  /** Pass `take` to receive the members instead of keeping their values. */
  #object(depth: number, take: MemberSink["take"] | null = null): JsonObject {
    const object = new Map<string, Json>();
    const isInner = this.#keyFilter !== null && depth > this.#keyFilter.depth;
    this.#at += 1;
    if (this.#skip("}")) return object;
    do {
      this.#peek();
      const keyAt = this.#at;
      const key = isInner ? this.#known(this.#string()) : this.#string();
      if (object.has(key)) throw new BrokenJson("a key appears twice in one object", keyAt);
      if (!this.#skip(":")) throw this.#expected("`:`");
      const isHandedOut = depth === 0 && key === this.#sink?.of;
      const value = isHandedOut ? this.#handedOut(this.#sink!) : this.#member(key, depth);
      take?.(key, value);
      object.set(key, take !== null || (isInner && !this.#keyFilter!.keys.has(key)) ? null : value);
    } while (this.#skip(","));
    if (!this.#skip("}")) throw this.#expected("`,` or `}`");
    return take === null ? object : new Map();
  }

  #handedOut({ take }: MemberSink): Json {
    if (this.#peek() !== "{") return this.value(1);
    this.#values += 1;
    return this.#object(1, take);
  }

  #known(key: string): string {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    if (this.#keys.size < knownKeysMax) this.#keys.set(key, key);
    return key;
  }

  #array(depth: number): readonly Json[] {
    const array: Json[] = [];
    this.#at += 1;
    if (this.#skip("]")) return array;
    do array.push(this.#member(array.length, depth));
    while (this.#skip(","));
    if (!this.#skip("]")) throw this.#expected("`,` or `]`");
    return array;
  }

  #member(key: string | number, depth: number): Json {
    if (this.#offsets === null) return this.value(depth + 1);
    const holder = this.#pointer;
    this.#pointer = `${holder}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const value = this.value(depth + 1);
    this.#pointer = holder;
    return value;
  }

  #string(): string {
    const start = this.#at;
    if (this.#text.charAt(start) !== '"') throw this.#expected(aString);
    const end = this.#text.indexOf('"', start + 1);
    if (end === -1) throw new BrokenJson("the text ends too early", this.#text.length);
    if (end - start >= stringCharsMax) throw this.#expected(aString);
    const plain = this.#text.slice(start + 1, end);
    if (!notPlain.test(plain)) {
      this.#at = end + 1;
      return plain;
    }
    // Cut before matching: a pattern with alternatives overflows the stack on a string of megabytes.
    const cut = this.#text.slice(start, start + stringCharsMax * escapeCharsMax);
    escapedString.lastIndex = 0;
    if (!escapedString.test(cut)) throw this.#expected(aString);
    const token = cut.slice(0, escapedString.lastIndex);
    if (token.length > stringCharsMax) throw this.#expected(aString);
    this.#at = start + token.length;
    return JSON.parse(token) as string;
  }

  #word<T extends null | boolean>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#expected("a value");
    this.#at += word.length;
    return value;
  }

  #take(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) throw this.#expected(what);
    const token = this.#text.slice(this.#at, pattern.lastIndex);
    this.#at = pattern.lastIndex;
    return token;
  }

  /** Skips white space. Returns the next character, or "" at the end. */
  #peek(): string {
    space.lastIndex = this.#at;
    space.test(this.#text);
    this.#at = space.lastIndex;
    return this.#text.charAt(this.#at);
  }

  #skip(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #expected(what: string): BrokenJson {
    return this.#broken(this.#at >= this.#text.length ? "the text ends too early" : `expected ${what}`);
  }

  #broken(message: string): BrokenJson {
    return new BrokenJson(message, this.#at);
  }
}
