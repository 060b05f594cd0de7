import type { Request } from "express";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import type { Exchange } from "../../api/exchange.ts";

const formBytesMax = 16 * 1024;
/** Maximum upload: files of 8 MiB plus the encoding around them. */
const uploadBytesMax = 9 * 1024 * 1024;
const uploadFieldsMax = 1000;

/** Time for reading and discarding the rest of an oversized form, so that the client can read the response. */
const lingerMs = 500;
/** Shorter than the server's time limit for a request, which would close the connection without a response. */
const formMs = 8_000;
const uploadType = /^multipart\/form-data\s*;/i;
/** Form of the header in browsers and curl. */
const boundaryForm = /^multipart\/form-data\s*;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*$/i;
const formType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** An uploaded file. `name` is the name given by the browser. */
type SentFile = { name: string; bytes: Uint8Array };

/** Fields and files of a submitted form. */
export class Form {
  readonly files: readonly SentFile[];
  readonly #fields: URLSearchParams;

  constructor(fields: URLSearchParams, files: readonly SentFile[] = []) {
    this.#fields = fields;
    this.files = files;
  }

  /**
   * Returns the value of a field, "" if it is missing.
   * @throws {OwnerRefusal} `bad_input` if the field was sent twice.
   */
  one(name: string): string {
    const values = this.#fields.getAll(name);
    if (values.length > 1) throw new OwnerRefusal("bad_input", `The field ${name} was sent more than once.`);
    return values[0] ?? "";
  }

  all(name: string): string[] {
    return this.#fields.getAll(name);
  }
}

/** Returns whether the body is declared as a URL-encoded form. */
export function isForm(req: Request): boolean {
  const { "content-type": type, "content-encoding": coding } = req.headers;
  return (type === undefined ? false : formType.test(type)) && (coding ?? "identity").toLowerCase() === "identity";
}

/** Returns whether the body is declared as a multipart form. */
export function isUpload(req: Request): boolean {
  const { "content-type": type, "content-encoding": coding } = req.headers;
  return uploadType.test(type ?? "") && (coding ?? "identity").toLowerCase() === "identity";
}

/**
 * Reads the body of a form. Resolves to `too_long` above 16 KiB, to `too_late` after `withinMs`. Never resolves if the client disconnects.
 */
export async function readForm(exchange: Exchange, withinMs = formMs): Promise<Form | "too_long" | "too_late"> {
  const body = await readBody(exchange, formBytesMax, withinMs);
  return typeof body === "string" ? body : new Form(new URLSearchParams(body.toString()));
}

/** Reads a form as `readForm`, but with files and up to 9 MiB. Resolves to `broken` if its parts cannot be parsed. */
export async function readUpload(
  exchange: Exchange,
  withinMs = formMs,
): Promise<Form | "too_long" | "too_late" | "broken"> {
  const { req } = exchange;
  const type = req.headers["content-type"] ?? "";
  const body = await readBody(exchange, uploadBytesMax, withinMs);
  if (typeof body === "string") return body;
  const between = uploadType.test(type) ? boundaryOf(type) : "&";
  // Millions of fields would block the server's thread for seconds.
  if (between === null || hasMore(body, between, uploadFieldsMax)) return "broken";
  if (between === "&") return new Form(new URLSearchParams(body.toString()));
  try {
    return await partedForm(body, type);
  } catch (error) {
    // `formData` throws this for a malformed body.
    if (error instanceof TypeError) return "broken";
    throw error;
  }
}

/**
 * Returns the boundary between the parts of a body. Returns null if it is missing or ambiguous, because another parser might read it
 * differently.
 */
function boundaryOf(type: string): string | null {
  return boundaryForm.exec(type)?.[2] ?? null;
}

/** Returns whether the body contains `text` more than `max` times. */
function hasMore(body: Buffer, text: string, max: number): boolean {
  let count = 0;
  for (let at = body.indexOf(text); at !== -1 && count <= max; at = body.indexOf(text, at + text.length)) count += 1;
  return count > max;
}

async function partedForm(body: Buffer, type: string): Promise<Form> {
  const parts = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const fields = new URLSearchParams();
  const files: SentFile[] = [];
  for (const [name, value] of parts) {
    if (typeof value === "string") fields.append(name, value);
    else files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  return new Form(fields, files);
}

function readBody(exchange: Exchange, bytesMax: number, withinMs: number): Promise<Buffer | "too_long" | "too_late"> {
  const { req, res } = exchange;
  return new Promise((resolve) => {
    if (exchange.awaitsContinue) res.writeContinue();
    exchange.awaitsContinue = false;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let timer = setTimeout(() => resolve("too_late"), withinMs);
    res.once("close", () => clearTimeout(timer));
    req.on("data", (chunk: Buffer) => {
      const wasTooLong = bytes > bytesMax;
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else if (!wasTooLong) {
        clearTimeout(timer);
        timer = setTimeout(() => resolve("too_long"), lingerMs);
      }
    });
    req.once("end", () => {
      clearTimeout(timer);
      resolve(bytes > bytesMax ? "too_long" : Buffer.concat(chunks));
    });
  });
}
