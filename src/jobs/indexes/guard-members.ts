import { examplesMax, findingText, found, type GuardFinding, percentText } from "../../import/guards/findings.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { dayText } from "../../values/time/calendar.ts";
import type { Definition } from "./definition.ts";

export const memberGuardNames = ["member_weight"] as const;
export type MemberGuardName = (typeof memberGuardNames)[number];

export type MemberFinding = GuardFinding<MemberGuardName | "member_price" | "unused_units" | "base_value", string>;

/** Returns the daily asks of an item around the first day of the members. */
export type NearAsks = (itemId: number) => readonly (readonly [day: number, amount: number])[];

/** Maximum distance in days between the first day and an ask that represents a member. */
export const nearDays = 30;
const weighedMin = 5;
const refusedPercent = 90;
const namedPercent = 50;
const namedBase = { low: 1, high: 1_000_000 };

/**
 * Checks the members from `day` (days since 1970) on, and the base value. Writes nothing.
 * @throws {OperatorError} when one member is nearly the whole capitalization, unless the operator accepts it.
 */
export function guardMembers(
  definition: Definition,
  day: number,
  asksOf: NearAsks,
  accepted: readonly MemberGuardName[],
): MemberFinding[] {
  const { indexId, members, provider, weighting, baseValue } = definition;
  const prices = new Map(members.map(({ itemId }) => [itemId, nearest(asksOf(itemId), day)]));
  const findings: MemberFinding[] = [];
  const unpriced = members.filter(({ itemId }) => prices.get(itemId) === null);
  if (unpriced.length > 0) {
    const such = unpriced.slice(0, examplesMax).map(({ itemId }) => itemId);
    const figure = `${unpriced.length} of ${members.length} members have no daily ask of ${provider} within ${nearDays} days of ${dayText(day)}, such as item ${such.join(", ")}`;
    findings.push(found("member_price", "named", figure, "0"));
  }
  if (weighting === "capitalization") findings.push(...weightFindings(definition, prices));
  else if (members.some(({ units }) => units !== 1)) {
    const figure = "its members have units, which an index of equal weights does not use";
    findings.push(found("unused_units", "named", figure, "capitalization"));
  }
  const base = Number(baseValue);
  if (base < namedBase.low || base > namedBase.high) {
    const threshold = `${namedBase.low} to ${namedBase.high}`;
    findings.push(found("base_value", "named", `its base value is ${baseValue}`, threshold));
  }
  const refused = findings.find(
    ({ guard, verdict }) => verdict === "broken" && !accepted.some((word) => word === guard),
  );
  if (refused === undefined) return findings;
  const command = `npx itemtape index define FILE --accept ${refused.guard}`;
  throw new OperatorError(
    `index ${indexId}: ${findingText(refused)}; if that is correct, accept it with \`${command}\`; nothing was changed`,
  );
}

/** Returns the ask of the nearest day, or null. */
function nearest(asks: readonly (readonly [day: number, amount: number])[], day: number): number | null {
  const distance = ([of]: readonly [number, number]) => Math.abs(of - day);
  const sorted = asks.toSorted((one, other) => distance(one) - distance(other));
  return sorted[0]?.[1] ?? null;
}

function weightFindings({ members }: Definition, prices: ReadonlyMap<number, number | null>): MemberFinding[] {
  const worths = members.map(({ itemId, units }) => ({ itemId, units, worth: units * (prices.get(itemId) ?? 0) }));
  const priced = worths.filter(({ worth }) => worth > 0);
  if (priced.length < weighedMin) return [];
  const whole = priced.reduce((sum, { worth }) => sum + worth, 0);
  const heaviest = priced.reduce((one, other) => (other.worth > one.worth ? other : one));
  if (heaviest.worth * 100 <= namedPercent * whole) return [];
  const { itemId, units } = heaviest;
  const figure = `item ${itemId} with ${units} units is ${percentText(heaviest.worth, whole)} of the capitalization of ${priced.length} members`;
  const isBroken = heaviest.worth * 100 > refusedPercent * whole;
  const threshold = `${isBroken ? refusedPercent : namedPercent} %`;
  return [found("member_weight", isBroken ? "broken" : "named", figure, threshold)];
}
