import type { Request } from "express";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import type { Exchange } from "../../api/exchange.ts";

const formBytesMax = 16 * 1024;

/** Time for which the rest of a form that is too long is read and dropped, so that its sender can read the answer. */
const lingerMs = 500;
/** Less than the server gives a whole request, after which it would cut the connection without a word. */
const formMs = 8_000;
const formType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Holds the fields of a form that was sent. */
export class Form {
  readonly #fields: URLSearchParams;

  constructor(text: string) {
    this.#fields = new URLSearchParams(text);
  }

  /**
   * Returns the value of a field, "" where it is absent.
   * @throws {OwnerRefusal} `bad_input` when a field was sent twice.
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

/** Returns whether the body is declared as the form of a web page. */
export function isForm(req: Request): boolean {
  const { "content-type": type, "content-encoding": coding } = req.headers;
  return (type === undefined ? false : formType.test(type)) && (coding ?? "identity").toLowerCase() === "identity";
}

/**
 * Reads a form's body. Resolves to `too_long` when it has more than 16 KiB, to `too_late` when it takes longer than `withinMs`,
 * and never when the client goes away.
 */
export function readForm(exchange: Exchange, withinMs = formMs): Promise<Form | "too_long" | "too_late"> {
  const { req, res } = exchange;
  return new Promise((resolve) => {
    if (exchange.awaitsContinue) res.writeContinue();
    exchange.awaitsContinue = false;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let timer = setTimeout(() => resolve("too_late"), withinMs);
    res.once("close", () => clearTimeout(timer));
    req.on("data", (chunk: Buffer) => {
      const wasTooLong = bytes > formBytesMax;
      bytes += chunk.length;
      if (bytes <= formBytesMax) chunks.push(chunk);
      else if (!wasTooLong) {
        clearTimeout(timer);
        timer = setTimeout(() => resolve("too_long"), lingerMs);
      }
    });
    req.once("end", () => {
      clearTimeout(timer);
      resolve(bytes > formBytesMax ? "too_long" : new Form(Buffer.concat(chunks).toString()));
    });
  });
}
