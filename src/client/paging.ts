import { clientOperations } from "../../generated/client-operations.ts";
import { TransportError } from "./errors.ts";
import type { PagedOperationId } from "./types.ts";

/** Parameter that requests the next page. */
export type NextPage = { readonly cursor: number } | { readonly after: string };

const cursorCharactersMax = 512;
const itemIdMax = 2_147_483_647;

/**
 * Follows the cursors of one list.
 * @throws {TypeError} if the operation has no pages.
 */
export class Pager {
  readonly #operationId: PagedOperationId;
  readonly #paging: "cursor" | "after";
  readonly #seen = new Set<string>();
  #cursor: number;

  /** Starts at the position in `params`. */
  constructor(operationId: PagedOperationId, params: Readonly<Record<string, unknown>>) {
    const paging = Object.hasOwn(clientOperations, operationId) ? clientOperations[operationId].paging : null;
    if (paging === null) throw new TypeError(`${operationId}: has no pages`);
    this.#operationId = operationId;
    this.#paging = paging;
    this.#cursor = typeof params.cursor === "number" ? params.cursor : -1;
    if (typeof params.after === "string") this.#seen.add(params.after);
  }

  /**
   * Returns the parameter for the page after the page with this `meta`; null after the last page.
   * @throws {TransportError} `paging`.
   */
  next(meta: object): NextPage | null {
    return this.#paging === "cursor" ? this.#byCursor(meta) : this.#byAfter(meta);
  }

  #byCursor(meta: { next_cursor?: unknown }): NextPage | null {
    const { next_cursor: cursor } = meta;
    if (cursor === null) return null;
    if (typeof cursor !== "number" || !Number.isInteger(cursor) || cursor < 0 || cursor > itemIdMax) {
      throw this.#broken("`meta.next_cursor` is neither an item id nor null");
    }
    if (cursor <= this.#cursor) throw this.#broken("`meta.next_cursor` does not advance");
    this.#cursor = cursor;
    return { cursor };
  }

  #byAfter(meta: { next_page?: unknown }): NextPage | null {
    const { next_page: after } = meta;
    if (after === null) return null;
    if (typeof after !== "string" || after === "" || after.length > cursorCharactersMax) {
      throw this.#broken("`meta.next_page` is neither a cursor nor null");
    }
    if (this.#seen.has(after)) throw this.#broken("`meta.next_page` is repeated");
    this.#seen.add(after);
    return { after };
  }

  #broken(why: string): TransportError {
    return new TransportError("paging", `${this.#operationId}: the list does not end: ${why}`);
  }
}
