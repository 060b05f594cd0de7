/** Points in the access layer and in ROI runs. A test can inject an error, a crash or a second writer there. */
const failpointNames = [
  "auth.lookup",
  "admit.begin",
  "admit.leaseInserted",
  "admit.charged",
  "admit.commit.before",
  "admit.commit.after",
  "lease.release.before",
  "lease.release.after",
  "roi.write.before",
  "roi.write.inside",
] as const;

export type FailpointName = (typeof failpointNames)[number];

export type Failpoints = { hit(name: FailpointName): void };

/** Failpoints of production code, which do nothing. */
export const noFailpoints: Failpoints = { hit() {} };
