/** Content of a response that is already JSON. The envelope sends it as `data` unchanged. */
export class Encoded {
  /** JSON text, or its bytes in UTF-8. */
  readonly content: string | Buffer;
  /** Bytes that identify the content, such as digests of its parts; by default the content itself. */
  readonly #basis: string | Buffer;
  /** Called once after the content was sent, when it has no other users. */
  readonly sent: (() => void) | undefined;
  #tag: { readonly beside: string; readonly tag: string } | null = null;

  constructor(content: string | Buffer, basis: string | Buffer = content, sent?: () => void) {
    this.content = content;
    this.#basis = basis;
    this.sent = sent;
  }

  get json(): string {
    return this.content.toString();
  }

  /** Returns the entity tag of the content together with `beside`. Caches the last tag, because the content may be cached itself. */
  tagWith(beside: string, make: (basis: string | Buffer, beside: string) => string): string {
    if (this.#tag?.beside !== beside) this.#tag = { beside, tag: make(this.#basis, beside) };
    return this.#tag.tag;
  }
}

/**
 * Wraps `content`, which must be the text of one JSON value. `basis` must differ whenever the content differs between responses to one
 * request. `sent` may release the memory of the content for reuse.
 */
export function encoded(content: string | Buffer, basis?: string | Buffer, sent?: () => void): Encoded {
  return new Encoded(content, basis, sent);
}
