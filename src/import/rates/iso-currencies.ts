import { parseDay } from "../../values/time/calendar.ts";

/** Why a source's code is not a supported currency on a day. */
export type CodeRefusal = "not_iso_4217" | "no_minor_unit" | "withdrawn";

type Currency = { minorUnits: number; lastDay: number };

/** Metals, funds and test codes, for which ISO 4217 defines no minor unit. That differs from 0 decimals. */
const withoutMinorUnit = new Set("XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX".split(" "));

/**
 * Codes withdrawn from ISO 4217 (list three) that old reference rates use. Each has its last day as money and the decimals of its minor
 * unit. A source's value for a later day is a conversion, not a rate.
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
/** Codes of ISO 4217 list one by the decimals of their minor unit, as published up to 2026 (www.iso.org/iso-4217-currency-codes.html). */
const current: readonly (readonly [minorUnits: number, codes: string])[] = [
  [
    2,
    `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUC
     CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD
     KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN
     QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED
     VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
];

const forever = Number.POSITIVE_INFINITY;

const currencies = new Map<string, Currency>([
  ...current.flatMap(([minorUnits, codes]) =>
    codes.split(/\s+/).map((code): [string, Currency] => [code, { minorUnits, lastDay: forever }]),
  ),
  ...Object.entries(withdrawn).map(([code, [last, minorUnits]]): [string, Currency] => [
    code,
    { minorUnits, lastDay: parseDay(last)! },
  ]),
]);

/** Returns the decimals of the currency's minor unit (0 to 4), or why `code` (upper case) is not a currency on `day`. */
export function minorUnitsOn(code: string, day: number): number | CodeRefusal {
  if (withoutMinorUnit.has(code)) return "no_minor_unit";
  const currency = currencies.get(code);
  if (currency === undefined) return "not_iso_4217";
  return day > currency.lastDay ? "withdrawn" : currency.minorUnits;
}
