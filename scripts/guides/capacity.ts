import { table } from "./table.ts";

/**
 * Figures of a node that is as busy as `assumed` says. They were measured on two cores of an AMD EPYC, shared by Node 20 and PostgreSQL 15,
 * with requests at planned instants. Times are processor time.
 */
export const measured = {
  /** Of a node, for a charged read of one item. */
  nodeUs: 110,
  /** Of all processes of PostgreSQL, for the charge and for the look at the key. */
  databaseUs: 82,
  /** Of the write-ahead log, for each charge. */
  logBytes: 710,
  /** Charges that one commit carries. */
  chargesPerCommit: 8.5,
  /** A compressed answer about one item with its headers. */
  answerBytes: 920,
  /** What a follower takes of a release after a publication, of a real market with 36,000 items and two providers, some hours after the one before. */
  releaseBytes: 1_670_000,
};

/** What a reader may change: shares of a core that are used, cores of the database's machine, publications in a day. */
export const assumed = { share: 0.6, databaseCores: 32, publicationsPerDay: 288 };

/** Requests per second that the page tells about. */
const rates = [100, 10_000, 1_000_000];
/** One more than the load needs, so that one may be away. */
const spareNodes = 1;
const secondsPerDay = 86_400;

/** Returns what `rate` requests per second need: nodes (one core each), cores and machines of PostgreSQL, MB per second. */
export function needsOf(rate: number) {
  const { nodeUs, databaseUs, logBytes, chargesPerCommit, answerBytes, releaseBytes } = measured;
  const databaseCores = (rate * databaseUs) / 1e6 / assumed.share;
  const nodes = Math.ceil((rate * nodeUs) / 1e6 / assumed.share) + spareNodes;
  return {
    nodes,
    databaseCores,
    databases: Math.ceil(databaseCores / assumed.databaseCores),
    commits: rate / chargesPerCommit,
    logMb: (rate * logBytes) / 1e6,
    answersMb: (rate * answerBytes) / 1e6,
    releasesMb: (nodes * releaseBytes * assumed.publicationsPerDay) / secondsPerDay / 1e6,
  };
}

/** Returns the table of what the rates need. */
export function capacityTable(): string {
  const head = [
    "requests per second",
    "nodes, one core each",
    "cores of PostgreSQL",
    `PostgreSQL servers of ${assumed.databaseCores} cores`,
    "commits per second",
    "its log, MB/s",
    "answers, MB/s",
    "releases to all nodes, MB/s",
  ];
  const rows = rates.map((rate) => {
    const { nodes, databaseCores, databases, commits, logMb, answersMb, releasesMb } = needsOf(rate);
    const counts = [rate, nodes, Math.ceil(databaseCores), databases, Math.round(commits)];
    const amounts = [logMb, answersMb, releasesMb].map((mb) => (mb < 10 ? mb.toFixed(2) : mb.toFixed(0)));
    return [...counts.map((count) => count.toLocaleString("en")), ...amounts];
  });
  return table(head, rows);
}

/** Returns the table of what was measured and assumed. */
export function figuresTable(): string {
  const { nodeUs, databaseUs, logBytes, chargesPerCommit, answerBytes, releaseBytes } = measured;
  return table(
    ["figure", "value"],
    [
      ["processor of a node for a charged read", `${nodeUs} µs`],
      ["processor of PostgreSQL for it", `${databaseUs} µs`],
      ["write-ahead log of PostgreSQL for it", `${logBytes} bytes`],
      ["charges in a commit", String(chargesPerCommit)],
      ["an answer", `${answerBytes} bytes`],
      ["a release after a publication", `${(releaseBytes / 1e6).toFixed(1)} MB`],
      ["share of a core that is used (assumed)", `${100 * assumed.share}%`],
      ["publications in a day (assumed)", String(assumed.publicationsPerDay)],
    ],
  );
}
