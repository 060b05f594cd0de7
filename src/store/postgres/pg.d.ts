/** The used part of `pg`, which has no types of its own. */
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
    /** Result of the options and the URL parameters, which override the options. */
    readonly connectionParameters: { query_timeout: unknown };
    /** Null if neither the address nor the environment has a password. */
    password: string | null | (() => Promise<string | undefined>);
    on(event: "error", listener: (error: Error) => void): this;
    on(event: "end", listener: () => void): this;
    on(event: "notice", listener: (notice: { message?: string; detail?: string }) => void): this;
    off(event: "notice", listener: (notice: { message?: string; detail?: string }) => void): this;
  }

  /** A connection of a pool. `release(true)` closes it instead of returning it to the pool. */
  export interface PoolClient extends Client {
    release(isBroken?: boolean): void;
  }

  export class Pool implements Queryable {
    /** Number of open connections, in use or idle. */
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

/** Looks up a password in the file of `PGPASSFILE` or the user's default file. */
declare module "pgpass" {
  export default function pgpass(connection: object, found: (password: string | undefined) => void): void;
}
