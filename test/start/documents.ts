import { contractFiles, dataFiles, type Files, historyFiles, mirrorFiles, portfolioFiles } from "./fixtures.ts";

/** Commands that make files, which a ring plays once. `after` names commands that must run before. */
export type Making = {
  readonly typed: string;
  readonly after?: Making;
  readonly files?: () => Files;
};

/** A reader's state before the first block of a document: files of other documents' commands, own files, and shell input. */
type Preparation = {
  readonly made?: readonly Making[];
  readonly files?: () => Files;
  readonly typed?: string;
  readonly needsPostgres?: true;
};

const demoServer = "npm start\nFREE=itemtape_live_…\nBUILDER=itemtape_live_…";
const demoWithKey = `${demoServer}\nexport ITEMTAPE_API_KEY=$BUILDER`;
const marketFile = "export ITEMTAPE_DB=db/market.db";
const commit = "git -c user.name=reader -c user.email=reader@example.com commit --quiet --allow-empty -m";

const demo: Making = { typed: "npm start" };
const backup: Making = { after: demo, typed: "mkdir -m 0700 backups\nnpx itemtape db backup backups" };
const account: Making = { after: demo, typed: 'npx itemtape accounts create "Scanner team"' };
const portfolio: Making = { after: account, typed: 'npx itemtape portfolios create acc_… --name "Main inventory"' };
const release: Making = {
  after: demo,
  typed:
    "npx itemtape release root init --to releases --keys keys\nnpx itemtape release seal --to releases --key keys/online.pem",
};
const catalog: Making = {
  typed: `${marketFile}
npx itemtape db create
npx itemtape import catalog shipped`,
};
const quotes: Making = {
  after: catalog,
  files: dataFiles,
  typed: `${marketFile}
npx itemtape import quotes prices.json.gz --adapter steam
npx itemtape import quotes feed.ndjson --adapter canonical`,
};

/** Documents that need something, by their names. */
export const preparations: Readonly<Record<string, Preparation>> = {
  "tour.md": { made: [demo], typed: "npm start" },
  "agents.md": { made: [demo], typed: demoServer },
  "clients.md": { made: [demo], typed: demoWithKey },
  "command-line.md": { made: [demo], typed: demoWithKey },
  "kit.md": { made: [demo], typed: demoServer },
  "terminal.md": { made: [demo], typed: demoServer },
  "contract-review.md": {
    made: [{ typed: `git init --quiet\ngit add --all\n${commit} one\n${commit} two` }],
    files: contractFiles,
  },
  "data-in.md": { files: () => ({ ...dataFiles(), ...mirrorFiles() }) },
  "dataset.md": { made: [demo] },
  "history.md": { made: [catalog], files: historyFiles, typed: marketFile },
  "mirror.md": { made: [quotes], files: dataFiles, typed: marketFile },
  "monitoring.md": { made: [backup], typed: demoServer },
  "nodes.md": { made: [release], needsPostgres: true },
  "operating.md": { made: [{ typed: "npx itemtape db create" }] },
  "portfolio-files.md": { made: [portfolio], files: portfolioFiles },
  "portfolios.md": { made: [account], files: portfolioFiles },
  "release-keys.md": { made: [release], typed: "chmod 700 keys" },
  "releases.md": {
    made: [demo],
    files: mirrorFiles,
    typed: `${marketFile} ITEMTAPE_FEED_AUTHORIZATION="Basic …"\nmv db/itemtape.db db/market.db`,
  },
  "returns.md": { made: [demo, catalog], typed: `${demoServer}\n${marketFile}` },
  "sandbox.md": { made: [demo] },
  "service.md": { made: [backup] },
  "sql.md": { made: [demo], typed: "npm start" },
  "strategies.md": { made: [demo], typed: demoServer },
};
