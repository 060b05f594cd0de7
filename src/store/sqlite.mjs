import { createRequire } from "node:module";
import { exitCodes, OperatorError } from "../values/operator-error.ts";

// better-sqlite3 13 needs Node-API 10, which Node 20 lacks: there it ends the process when a database is opened. Version 12, which
// works on Node 20, aborts Node 24 in a garbage collection. So each Node has the one that works, and both come in by this module only.
const needsOwn = Number(process.versions.napi) < 10;
const name = needsOwn ? "sqlite-node20" : "better-sqlite3";

export default loadBinding();

function loadBinding() {
  try {
    const SqliteDatabase = createRequire(import.meta.url)(name);
    // The native part is loaded with the first database.
    new SqliteDatabase(":memory:").close();
    return SqliteDatabase;
  } catch (error) {
    const [reason] = String(error.message).split("\n");
    const fix = `run \`npm ci\` with this Node in a checkout${needsOwn ? ", or use Node 22.14 or newer" : ""}`;
    throw new OperatorError(
      `SQLite cannot be loaded on Node ${process.versions.node} (${reason}); ${fix}`,
      exitCodes.unavailable,
    );
  }
}
