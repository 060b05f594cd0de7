/** Places in the access layer and in a run of the ROI model where a test can let something happen: an error, a crash, a second writer. */
export const failpointNames = [
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

/** Failpoints that do `action` when they are hit, from `arm` until `disarm`. */
export class ArmedFailpoints implements Failpoints {
  readonly #actions = new Map<FailpointName, () => void>();

  arm(name: FailpointName, action: () => void): void {
    this.#actions.set(name, action);
  }

  disarm(name: FailpointName): void {
    this.#actions.delete(name);
  }

  hit(name: FailpointName): void {
    this.#actions.get(name)?.();
  }
}
