import type { Database } from "../../src/store/database.ts";

/** Returns the statements, in their order, that `work` prepares on the handle. */
export function preparedBy({ $client: client }: Database, work: () => void): string[] {
  const statements: string[] = [];
  const prepare = client.prepare;
  client.prepare = ((source: string) => {
    statements.push(source);
    return prepare.call(client, source);
  }) as typeof client.prepare;
  try {
    work();
  } finally {
    client.prepare = prepare;
  }
  return statements;
}
