import type { Redistribution, Terms } from "../store/write/provider-terms.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { parseDay } from "../values/time/calendar.ts";
import { type Call, commandsOf, fileSettings, json, usageError, wordsOf } from "./command.ts";
import { withDatabase } from "./open.ts";
import { printResult } from "./print.ts";

const redistributions = wordsOf<Redistribution>({ allowed: 0, not_allowed: 0, unknown: 0 });
const urlPattern = /^https:\/\/[!-~]+$/;
const attributionPattern = /^[^\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u;
const urlCharsMax = 2048;
const attributionCharsMax = 500;

export const providerCommands = commandsOf(fileSettings, [
  {
    usage: "providers set SLUG",
    flags: {
      [`redistribution ${redistributions.join("|")}`]: "whether the terms let you pass the prices on",
      "terms-url URL": "page with the terms",
      "terms-read-on DATE": "UTC day on which you read them, YYYY-MM-DD",
      "attribution TEXT": "text that the terms ask to show beside the prices",
      json,
    },
    description: 'set terms of a provider; "" returns to its mapping',
    example: "providers set steam --redistribution not_allowed",
    run: setTerms,
  },
]);

async function setTerms(call: Call): Promise<void> {
  const [slug] = call.operands as [string];
  const given = givenTerms(call);
  if (Object.keys(given).length === 0)
    throw usageError("nothing to set: give --redistribution, --terms-url, --terms-read-on or --attribution");
  const { writeTransaction } = await import("../store/database.ts");
  const { ProviderTerms } = await import("../store/write/provider-terms.ts");
  const terms = await withDatabase(call, (database) => {
    const store = new ProviderTerms(database);
    if (store.of(slug) === null)
      throw new OperatorError(`${slug}: the file has no provider with this slug`, exitCodes.noInput);
    writeTransaction(database, () => store.set(slug, given));
    return store.of(slug)!;
  });
  const { termsUrl, termsReadOn, redistribution, attribution } = terms;
  const facts = { terms_url: termsUrl, terms_read_on: termsReadOn, redistribution, attribution };
  const lines = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(16)}${value ?? "unknown"}`);
  printResult(call, { provider: slug, ...facts }, [`${slug}:`, ...lines]);
}

/** Returns the given terms. Null for an empty value, which returns the field to the mapping. */
function givenTerms(call: Call): Partial<Record<keyof Terms, string | null>> {
  const values = {
    redistribution: valueIn(call, "redistribution", `one of ${redistributions.join(", ")}`, (text) =>
      redistributions.some((one) => one === text),
    ),
    termsUrl: valueIn(
      call,
      "terms-url",
      `an https address of at most ${urlCharsMax} characters`,
      (text) => urlPattern.test(text) && URL.canParse(text) && text.length <= urlCharsMax,
    ),
    termsReadOn: valueIn(call, "terms-read-on", "a UTC day such as 2026-01-31", (text) => parseDay(text) !== null),
    attribution: valueIn(
      call,
      "attribution",
      `a text of at most ${attributionCharsMax} characters in one line`,
      (text) => attributionPattern.test(text) && text.length <= attributionCharsMax,
    ),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function valueIn(call: Call, name: string, takes: string, isValid: (text: string) => boolean) {
  const text = call.flag(name);
  if (text === undefined || isValid(text)) return text;
  if (text === "") return null;
  throw usageError(`--${name}: must be ${takes}`);
}
