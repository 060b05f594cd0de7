import type { Client } from "pg";
import { refuseUnlessValid } from "../../store/file/file.ts";
import { workOnPortfolios } from "../../store/postgres/portfolio-work.ts";
import { silent } from "../../values/progress.ts";
import {
  type importPortfolio,
  importPortfolioFiles,
  type PortfolioImportReport,
  readPortfolioFiles,
} from "./portfolio-import.ts";

/**
 * Runs `importPortfolio` on a portfolio of the private database, with the item names of the market in `marketPath`.
 * @throws {OperatorError} when the file is rejected. The message lists each fault with its line.
 */
export async function importPrivatePortfolio(
  client: Client,
  marketPath: string,
  ...[paths, options, parts]: Parameters<typeof importPortfolio> extends [string, ...infer Rest] ? Rest : never
): Promise<PortfolioImportReport> {
  const { portfolioId, dryRun = false } = options;
  const { progress = silent } = parts;
  try {
    refuseUnlessValid(marketPath);
    progress.phase("reading");
    const files = await readPortfolioFiles(paths);
    const scope = { account: { portfolioId }, lots: portfolioId, removed: portfolioId };
    return await workOnPortfolios(client, scope, { marketPath, reads: dryRun }, (database) =>
      importPortfolioFiles(database, files, options, parts),
    );
  } finally {
    progress.end();
  }
}
