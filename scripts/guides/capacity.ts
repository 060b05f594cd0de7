import { table } from "./table.ts";

/**
 * Figures of a node with the load in `assumed`. They were measured on two cores of an AMD EPYC, shared by Node 20 and PostgreSQL 15, with
 * requests at scheduled instants. Times are processor time.
 */
export const measured = {
  /** Time of a node for a charged read of one item. */
  nodeUs: 110,
  /** Time of all PostgreSQL processes for the charge and the lookup of the key. */
  databaseUs: 82,
  /** Write-ahead log of each charge. */
  logBytes: 710,
  /** Average charges per commit. */
  chargesPerCommit: 8.5,
  /** A compressed response about one item with its headers. */
  answerBytes: 920,
  /**
   * Bytes of a release that a follower downloads after a publication, hours after the previous one. The market was real, with 36,000 items
   * and two providers.
   */
  releaseBytes: 1_670_000,
};

/** Assumptions that readers may change: used share of a core, cores of the database's machine, publications per day. */
export const assumed = { share: 0.6, databaseCores: 32, publicationsPerDay: 288 };

/** Requests per second in the table. */
const rates = [100, 10_000, 1_000_000];
/** Nodes beyond the load, so that one may fail. */
const spareNodes = 1;
const secondsPerDay = 86_400;

/** Returns the resources for `rate` requests per second: nodes (one core each), cores and machines of PostgreSQL, MB per second. */
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

/** Returns the table of the resources for each rate. */
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

/** Returns the table of the measured and assumed figures. */
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
