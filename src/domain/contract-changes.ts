import type { Params, Schema } from "../contract/types.ts";
import { pageOf, type Read } from "./paging.ts";
import type { Reference } from "./reference.ts";

type Change = Schema<"ContractChange">;

/** A page of changes before the change `before`, exclusive. */
type ChangesQuery = { before: number; limit: number };

const operation = "listContractChanges";
const limitDefault = 50;

/** Lists the changes of the contract. */
export class ContractChanges {
  readonly #newestFirst: readonly Change[];

  /** `changes` are in the document's order: ascending. */
  constructor(changes: readonly Change[]) {
    this.#newestFirst = changes.toSorted((a, b) => b.change_id - a.change_id);
  }

  /** @throws {Failure} `invalid_cursor` or `cursor_mismatch`. */
  prepareList({ limit = limitDefault, after }: Params<"listContractChanges">, { cursors }: Reference): ChangesQuery {
    const before = after === undefined ? Number.POSITIVE_INFINITY : Number(cursors.read(after, operation, {}).key);
    return { before, limit };
  }

  list({ before, limit }: ChangesQuery, { cursors }: Reference): Read<"listContractChanges"> {
    const rest = this.#newestFirst.filter(({ change_id }) => change_id < before);
    const { page, last } = pageOf(rest, limit);
    return { data: page, meta: { next_page: last && cursors.write({ operation, key: last.change_id, filters: {} }) } };
  }
}
