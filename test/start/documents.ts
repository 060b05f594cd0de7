import { contractFiles, dataFiles, type Files, historyFiles, livePricesFiles, portfolioFiles } from "./fixtures.ts";

/**
 * What a reader of a document has before its first block: commands that were typed, mostly those of the documents that it refers to, and
 * files.
 */
type Preparation = {
  readonly typed?: string;
  readonly files?: () => Files;
  readonly needsPostgres?: true;
};

const demoServer = "npm start\nFREE=itemtape_live_…\nBUILDER=itemtape_live_…";
const demoWithKey = `${demoServer}\nexport ITEMTAPE_API_KEY=$BUILDER`;
const emptyFile = "export ITEMTAPE_DB=db/market.db\nnpx itemtape db create";
const catalog = "npm install --no-save @ianlucas/cs2-lib@7\nnpx itemtape import catalog @ianlucas/cs2-lib";
const quotes = [
  "npx itemtape import quotes prices.json.gz --adapter steam",
  "npx itemtape import quotes feed.ndjson --adapter canonical",
].join("\n");
const demoFile = "npx itemtape db demo --reset";
const account = 'npx itemtape accounts create "Scanner team"';
const commit = "git -c user.name=reader -c user.email=reader@example.com commit --quiet --allow-empty -m";

/** Documents that need something, by their names. */
export const preparations: Readonly<Record<string, Preparation>> = {
  "tour.md": { typed: "npm start" },
  "agents.md": { typed: demoServer },
  "clients.md": { typed: demoWithKey },
  "command-line.md": { typed: demoWithKey },
  "terminal.md": { typed: demoServer },
  "contract-review.md": {
    typed: `git init --quiet\ngit add --all\n${commit} one\n${commit} two`,
    files: contractFiles,
  },
  "data-in.md": { files: dataFiles },
  "history.md": { typed: `${emptyFile}\n${catalog}`, files: historyFiles },
  "live-prices.md": { files: livePricesFiles },
  "mirror.md": { typed: `${emptyFile}\n${catalog}\n${quotes}`, files: dataFiles },
  "monitoring.md": { typed: `${demoServer}\nmkdir -m 0700 backups\nnpx itemtape db backup backups` },
  "nodes.md": {
    needsPostgres: true,
    typed: `${demoFile}\nnpx itemtape release key release.pem\nnpx itemtape release seal --to releases --key release.pem`,
  },
  "operating.md": { typed: "npx itemtape db create" },
  "portfolio-files.md": {
    typed: `${demoFile}\n${account}\nnpx itemtape portfolios create acc_… --name "Main inventory"`,
    files: portfolioFiles,
  },
  "portfolios.md": { typed: `${demoFile}\n${account}`, files: portfolioFiles },
  "releases.md": {
    typed: `export ITEMTAPE_DB=db/market.db ITEMTAPE_FEED_AUTHORIZATION="Basic …"\n${demoFile}`,
    files: livePricesFiles,
  },
  "returns.md": { typed: `${demoServer}\n${emptyFile}\n${catalog}` },
  "service.md": { typed: `${demoFile}\nmkdir -m 0700 backups\nnpx itemtape db backup backups` },
};
