import type { Admission } from "../../../src/access/admission.ts";
import { nodesWaitMs } from "../model.ts";
import type { Call } from "../model-types.ts";
import type { SimulatedNode } from "./node.ts";

const changesHoldMs = 119_000;

/** Admits a call as the server's handler does. */
export function admit(node: SimulatedNode, call: Call, caller: Admission["caller"]): Promise<Admission> {
  const { rule, requestId, operation, at } = call;
  const access = {
    scope: rule.scope,
    plan: rule.paid ? "paid" : "free",
    monthlyUnits: rule.unit ? 1 : 0,
    lease: rule.lease,
    isStart: rule.isStart ?? true,
  } as const;
  const permit =
    rule.permit === undefined
      ? null
      : { kind: rule.permit, holdMs: rule.permit === "changes" ? changesHoldMs : nodesWaitMs };
  return node.admissions.admit({ requestId, operation, rule: access, caller, at, permit });
}
