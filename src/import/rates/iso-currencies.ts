import { data as currentCodes } from "currency-codes";
import { parseDay } from "../../values/calendar.ts";

/** Why a code of a source is not a currency of ours on a day. */
export type CodeRefusal = "not_iso_4217" | "no_minor_unit" | "withdrawn";

type Currency = { minorUnits: number; lastDay: number };

/** Metals, funds of account and test codes: ISO 4217 gives them no minor unit, and none is 0. */
const withoutMinorUnit = new Set("XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX".split(" "));

/**
 * Codes that left ISO 4217 (its list three) and that reference rates still name in their history: last day as money, decimals
 * of the minor unit. What a source gives for later days is a conversion and no rate.
 */
const withdrawn: Readonly<Record<string, readonly [lastDay: string, minorUnits: number]>> = {
  BGN: ["2025-12-31", 2],
  CYP: ["2007-12-31", 2],
  EEK: ["2010-12-31", 2],
  HRK: ["2022-12-31", 2],
  LTL: ["2014-12-31", 2],
  LVL: ["2013-12-31", 2],
  MTL: ["2007-12-31", 2],
  ROL: ["2005-06-30", 2],
  SIT: ["2006-12-31", 2],
  SKK: ["2008-12-31", 2],
  TRL: ["2004-12-31", 0],
};
/** Newer than the package's list. */
const added: Readonly<Record<string, number>> = { XCG: 2 };

const currencies = new Map<string, Currency>([
  ...currentCodes.map(({ code, digits }) => current(code, digits)),
  ...Object.entries(added).map(([code, minorUnits]) => current(code, minorUnits)),
  ...Object.entries(withdrawn).map(([code, [last, minorUnits]]): [string, Currency] => [
    code,
    { minorUnits, lastDay: parseDay(last)! },
  ]),
]);

/** Decimals of the currency's minor unit (0 to 4), or why `code` (upper case) is no currency on `day`. */
export function minorUnitsOn(code: string, day: number): number | CodeRefusal {
  const currency = currencies.get(code);
  if (currency === undefined) return "not_iso_4217";
  if (withoutMinorUnit.has(code)) return "no_minor_unit";
  return day > currency.lastDay ? "withdrawn" : currency.minorUnits;
}

function current(code: string, minorUnits: number): [string, Currency] {
  return [code, { minorUnits, lastDay: Number.POSITIVE_INFINITY }];
}
