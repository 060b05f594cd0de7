/** The part of `pg` that is used here; the package has no types of its own. */
declare module "pg" {
  export type QueryResult<Row> = { rows: Row[]; command: string };
  export type QueryConfig = { name?: string; text: string; values?: readonly unknown[]; rowMode?: "array" };
  export type Options = { connectionString: string; [name: string]: unknown };
  export type Answered<Row> = (error: Error | null, result: QueryResult<Row>) => void;

  export interface Queryable {
    query<Row = Record<string, unknown>>(
      text: string | QueryConfig,
      values?: readonly unknown[],
    ): Promise<QueryResult<Row>>;
  }

  export class Client implements Queryable {
    constructor(options: Options | string);
    connect(): Promise<void>;
    connect(callback: (error?: unknown) => void): void;
    end(): Promise<void>;
    query<Row = Record<string, unknown>>(
      text: string | QueryConfig,
      values?: readonly unknown[],
    ): Promise<QueryResult<Row>>;
    query<Row>(text: string | QueryConfig, values: readonly unknown[] | undefined, answered: Answered<Row>): void;
    readonly connection?: { readonly stream: import("node:net").Socket };
    /** What the options and the parameters of the address come to, which go before. */
    readonly connectionParameters: { query_timeout: unknown };
    /** Null without a password in the address and the environment. */
    password: string | null | (() => Promise<string | undefined>);
    on(event: "error", listener: (error: Error) => void): this;
    on(event: "end", listener: () => void): this;
    on(event: "notice", listener: (notice: { message?: string; detail?: string }) => void): this;
    off(event: "notice", listener: (notice: { message?: string; detail?: string }) => void): this;
  }

  /** A connection of a pool. `release(true)` ends it instead of giving it back. */
  export interface PoolClient extends Client {
    release(isBroken?: boolean): void;
  }

  export class Pool implements Queryable {
    /** Connections that are open, in use or not. */
    readonly totalCount: number;
    constructor(options: Options & { max: number });
    query: Queryable["query"];
    connect(): Promise<PoolClient>;
    end(): Promise<void>;
    on(event: "error", listener: (error: Error) => void): this;
    on(event: "connect", listener: (client: PoolClient) => void): this;
  }

  const pg: {
    Client: typeof Client;
    Pool: typeof Pool;
    escapeLiteral(text: string): string;
    types: { getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown };
  };
  export default pg;
}

/** Looks a password up in the file of `PGPASSFILE`, or of the user. */
declare module "pgpass" {
  export default function pgpass(connection: object, found: (password: string | undefined) => void): void;
}
