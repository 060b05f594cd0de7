import type { Client } from "pg";
import { refuseUnlessOurs } from "../../store/file/file.ts";
import { workOnPortfolios } from "../../store/postgres/portfolio-work.ts";
import { silent } from "../../values/progress.ts";
import { readFeedFile } from "../feed-file.ts";
import {
  bytesMaxOf,
  type importPortfolio,
  importPortfolioBody,
  type PortfolioImportReport,
} from "./portfolio-import.ts";

/**
 * Does what `importPortfolio` does on a portfolio of the private database, with the names of the market of `marketPath`.
 * @throws {OperatorError} when the file is refused: it names each fault with its line.
 */
export async function importPrivatePortfolio(
  client: Client,
  marketPath: string,
  ...[bodyPath, options, parts]: Parameters<typeof importPortfolio> extends [string, ...infer Rest] ? Rest : never
): Promise<PortfolioImportReport> {
  const { portfolioId, adapter, dryRun = false } = options;
  const { progress = silent } = parts;
  try {
    refuseUnlessOurs(marketPath);
    progress.phase("reading");
    const body = await readFeedFile(bodyPath, bytesMaxOf(adapter));
    const scope = { account: { portfolioId }, lots: portfolioId };
    return await workOnPortfolios(client, scope, { marketPath, reads: dryRun }, (database) =>
      importPortfolioBody(database, body, options, parts),
    );
  } finally {
    progress.end();
  }
}
