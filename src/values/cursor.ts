import { createHmac, timingSafeEqual } from "node:crypto";
import { Failure } from "./failure/failure.ts";

export type CursorFilters = Readonly<Record<string, string | number>>;

/**
 * Position at which a list continues: after `key`. `filters` are the filters of the first page, including the resolved dates of a window.
 */
export type CursorPosition = {
  operation: string;
  key: string | number | readonly (string | number)[];
  filters: CursorFilters;
};

export const cursorCharactersMax = 512;
const version = 1;
const macBytes = 16;
const shape = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/;

/**
 * Reads and writes opaque HMAC-signed page tokens. The 32-byte key is stored in the database file, or in PostgreSQL when several nodes
 * share it.
 */
export class Cursors {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    if (secret.length !== 32) throw new Error(`a cursor key has 32 bytes, not ${secret.length}`);
    this.#secret = secret;
  }

  /**
   * Returns a token of at most 512 characters.
   * @throws {Error} if key and filters are too long for a token.
   */
  write({ operation, key, filters }: CursorPosition): string {
    const content = { v: version, o: operation, k: key, ...(Object.keys(filters).length > 0 && { f: filters }) };
    const payload = Buffer.from(JSON.stringify(content)).toString("base64url");
    const cursor = `${payload}.${this.#mac(payload)}`;
    if (cursor.length > cursorCharactersMax)
      throw new Error(`a cursor of ${operation} has ${cursor.length} characters`);
    return cursor;
  }

  /**
   * Returns the position in `cursor`. Its filters replace the parameters that are undefined in `given`.
   * @throws {Failure} `invalid_cursor` if this key did not sign it, `cursor_mismatch` if the operation or a filter differs.
   */
  read(
    cursor: string,
    operation: string,
    given: Readonly<Record<string, string | number | undefined>>,
  ): CursorPosition {
    const position = this.#open(cursor);
    if (position.operation !== operation) throw mismatch("it belongs to another operation");
    for (const [name, value] of Object.entries(given)) {
      if (value !== undefined && position.filters[name] !== value)
        throw mismatch(`it was made with another \`${name}\``);
    }
    return position;
  }

  #open(cursor: string): CursorPosition {
    const [, payload = "", mac = ""] = (cursor.length <= cursorCharactersMax && shape.exec(cursor)) || [];
    // The comparison uses the text: base64url has several spellings of the same bytes.
    if (payload === "" || !timingSafeEqual(Buffer.from(mac), Buffer.from(this.#mac(payload)))) throw invalid();
    const content = JSON.parse(Buffer.from(payload, "base64url").toString()) as {
      v: number;
      o: string;
      k: CursorPosition["key"];
      f?: CursorFilters;
    };
    if (content.v !== version) throw invalid();
    return { operation: content.o, key: content.k, filters: content.f ?? {} };
  }

  #mac(payload: string): string {
    const mac = createHmac("sha256", this.#secret).update(payload).digest();
    return mac.subarray(0, macBytes).toString("base64url");
  }
}

function invalid(): Failure {
  return new Failure("invalid_cursor", {
    detail: "query parameter `after`: must be `meta.next_page` of the previous page, unchanged",
  });
}

function mismatch(why: string): Failure {
  return new Failure("cursor_mismatch", {
    detail: `query parameter \`after\`: ${why}; keep all other parameters unchanged`,
  });
}
