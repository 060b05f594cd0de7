/** Places in the access layer and in a run of the ROI model where a test can let something happen: an error, a crash, a second writer. */
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

/** The failpoints of the product: none. */
export const noFailpoints: Failpoints = { hit() {} };
