export const planNames = ["free", "builder", "trader", "quant"] as const;

export type Plan = (typeof planNames)[number];

/** `priceCents` is the price of 30 days, null if it is by agreement. */
type PlanLimits = {
  priceCents: number | null;
  requestsPerMonth: number;
  requestsPerMinute: number;
  snapshotStartsPerDay: number;
};

export const plans: Readonly<Record<Plan, PlanLimits>> = {
  free: { priceCents: 0, requestsPerMonth: 1_000, requestsPerMinute: 20, snapshotStartsPerDay: 0 },
  builder: { priceCents: 2_000, requestsPerMonth: 10_000, requestsPerMinute: 60, snapshotStartsPerDay: 48 },
  trader: { priceCents: 5_000, requestsPerMonth: 100_000, requestsPerMinute: 180, snapshotStartsPerDay: 144 },
  quant: { priceCents: null, requestsPerMonth: 1_000_000, requestsPerMinute: 540, snapshotStartsPerDay: 288 },
};

export type PlanTable = typeof plans;

/** Maximum concurrent exports of the whole service. A constraint of the database enforces it, so a change needs a migration. */
export const serviceSlots = 8;

/** Returns the plan in force at `at`. A plan that has ended is Free; the end is exclusive. */
export function effectivePlan(plan: Plan, planEndsAt: number | null, at: number): Plan {
  return planEndsAt !== null && at >= planEndsAt ? "free" : plan;
}
