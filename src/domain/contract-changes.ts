import type { Params, ReadMeta, Schema } from "../contract/types.ts";
import type { Reference } from "./reference.ts";

type Change = Schema<"ContractChange">;

/** A page of changes before the change `before`, exclusive. */
type ChangesQuery = { before: number; limit: number };

const operation = "listContractChanges";
const limitDefault = 50;

/** Lists the changes of the contract. */
export class ContractChanges {
  readonly #newestFirst: readonly Change[];

  /** `changes` as the document holds them: ascending. */
  constructor(changes: readonly Change[]) {
    this.#newestFirst = changes.toSorted((a, b) => b.change_id - a.change_id);
  }

  /**
   * Resolves the parameters of a request.
   *
   * @throws {Failure} `invalid_cursor` or `cursor_mismatch`.
   */
  prepareList({ limit, after }: Params<"listContractChanges">, { cursors }: Reference): ChangesQuery {
    const before = after === undefined ? Number.POSITIVE_INFINITY : Number(cursors.read(after, operation, {}).key);
    return { before, limit: limit ?? limitDefault };
  }

  list(
    { before, limit }: ChangesQuery,
    { cursors }: Reference,
  ): { data: Change[]; meta: ReadMeta<"listContractChanges"> } {
    const rest = this.#newestFirst.filter(({ change_id }) => change_id < before);
    const data = rest.slice(0, limit);
    const last = data.at(-1);
    const next = rest.length > limit && last ? cursors.write({ operation, key: last.change_id, filters: {} }) : null;
    return { data, meta: { next_page: next } };
  }
}
