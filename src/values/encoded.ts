/** The content of an answer that needs no further encoding. The envelope passes it on as `data` untouched. */
export class Encoded {
  /** JSON text, or its bytes in UTF-8. */
  readonly content: string | Buffer;
  /** What tells all of the content in fewer bytes, such as digests of its parts; else the content itself. */
  readonly #basis: string | Buffer;
  /** To be called once when the content was sent and nobody else has it. */
  readonly sent: (() => void) | undefined;
  #tag: { readonly beside: string; readonly tag: string } | null = null;

  constructor(content: string | Buffer, basis: string | Buffer = content, sent?: () => void) {
    this.content = content;
    this.#basis = basis;
    this.sent = sent;
  }

  /** The content as text. */
  get json(): string {
    return this.content.toString();
  }

  /**
   * Returns the tag of the content with what stands beside it. The last one is kept, for content that is kept itself.
   */
  tagWith(beside: string, make: (basis: string | Buffer, beside: string) => string): string {
    if (this.#tag?.beside !== beside) this.#tag = { beside, tag: make(this.#basis, beside) };
    return this.#tag.tag;
  }
}

/**
 * Marks `content` as the finished text of one JSON value. The caller vouches for it, and for `basis`: it is another one whenever the
 * content is, among all answers to the same request. `sent` may let other content have the place of this one.
 */
export function encoded(content: string | Buffer, basis?: string | Buffer, sent?: () => void): Encoded {
  return new Encoded(content, basis, sent);
}
