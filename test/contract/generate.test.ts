import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { deriveFiles } from "../../scripts/contract/derive.ts";
import { parseDocument, readDocumentText, repositoryRoot } from "../../scripts/contract/document.ts";
import { findMigrationDrift, schemas } from "../../scripts/contract/migration-drift.ts";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";

describe("generated files", () => {
  // In the short run it is one of the checks before the tests.
  itLong("equal the output of openapi.yaml", async () => {
    for (const [path, derived] of await deriveFiles(parseDocument(readDocumentText()))) {
      const isSame = readFileSync(join(repositoryRoot, path), "utf8") === derived;
      expect(isSame, `${path} differs: run \`npm run generate\``).to.equal(true);
    }
  });

  itLong("change with openapi.yaml", async () => {
    const text = readDocumentText();
    const after = await deriveFiles(parseDocument(text.replace("operationId: getUsage", "operationId: getAllowance")));
    const same = [...after]
      .filter(([path, derived]) => derived === readFileSync(join(repositoryRoot, path), "utf8"))
      .map(([path]) => path);
    const ofClient = ["LICENSE", "README.md", "package.json"].map((name) => `generated/client/${name}`);
    expect(same).to.have.members([...ofClient, "generated/database-schema.ts", "generated/pages/find-items.js"]);
  });
});

describe("migrations", () => {
  let copy: string;

  before(() => {
    copy = temporaryFolder();
    mkdirSync(join(copy, "db"));
    for (const part of ["schema", "migrations", "postgres", "drizzle.config.ts"]) {
      cpSync(join(repositoryRoot, "db", part), join(copy, "db", part), { recursive: true });
    }
    cpSync(join(repositoryRoot, "package.json"), join(copy, "package.json"));
    symlinkSync(join(repositoryRoot, "node_modules"), join(copy, "node_modules"));
    symlinkSync(join(repositoryRoot, "src"), join(copy, "src"));
  });

  after(() => {
    rmSync(copy, { recursive: true, force: true });
  });

  // In the short run it is one of the checks before the tests.
  itLong("of the file and of PostgreSQL create the tables of their schemas", () => {
    for (const schema of Object.values(schemas)) expect(findMigrationDrift(copy, schema)).to.equal(null);
  });

  itLong("are reported as missing for a table, with the command", () => {
    const table = 'export const forgotten = sqliteTable("forgotten", { id: integer("id").primaryKey() });\n';
    appendFileSync(join(copy, "db/schema/reference.ts"), table);
    expect(findMigrationDrift(copy)).to.include("drizzle-kit generate --config db/drizzle.config.ts");
  });
});
