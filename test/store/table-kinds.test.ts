import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { tableKinds } from "../../db/schema/kinds.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";

type Tables = { names: string[]; references: { table: string; to: string }[] };

describe("kinds of tables", () => {
  let tables: Tables;

  before(() => {
    const path = join(temporaryFolder(), "new.db");
    newDatabase(path);
    tables = tablesOf(path);
  });

  it("classify each table as market, derived or private, and no other", () => {
    expect(Object.values(tableKinds).flat().sort()).to.deep.equal(tables.names);
  });

  it("have no reference from a market row to a private one", () => {
    expect(crossings(tables)).to.deep.equal([]);
  });
});

function tablesOf(path: string): Tables {
  const client = new SqliteDatabase(path, { readonly: true });
  try {
    const all = `SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '__drizzle_migrations' ORDER BY name`;
    const names = client.prepare<[], string>(all).pluck().all();
    const references = names.flatMap((table) =>
      (client.pragma(`foreign_key_list(${table})`) as { table: string }[]).map(({ table: to }) => ({ table, to })),
    );
    return { names, references };
  } finally {
    client.close();
  }
}

function crossings({ references }: Tables): string[] {
  const market: ReadonlySet<string> = new Set(tableKinds.market);
  return references
    .filter(({ table, to }) => market.has(table) && !market.has(to))
    .map(({ table, to }) => `${table} -> ${to}`);
}
