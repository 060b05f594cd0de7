import type { Schema } from "../../contract/types.ts";
import type { CalculationKey } from "../../roi/calculation.ts";
import { readCompressedFile } from "../../values/compressed-file.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { existing } from "../command.ts";
import { type Answer, readAnswer } from "./answer.ts";
import type { ServerReads } from "./server.ts";

export type Outcome = Schema<"OpenableOutcome">;

/** The API's responses about one calculation, with outcomes in the pool's order. Without a calculation the outcomes are empty. */
export type PublishedAnswers = { openable: Answer<"getOpenable">; outcomes: readonly Outcome[] };

const attemptsMax = 3;
const pagesMax = 100;
const pageRowsMax = 1000;
const fileBytesMax = 32 * 1024 * 1024;

/**
 * Reads from a server, and starts again if a new calculation was published meanwhile.
 * @throws {OperatorError} when a request is refused or fails, or the calculation keeps changing.
 */
export async function fromServer(server: ServerReads, key: CalculationKey): Promise<PublishedAnswers> {
  const query = { valuation_mode: key.valuationMode };
  const read = async () => {
    const openable = await server.openable(key.slug, query);
    refuseOther("the server's answer", openable, key);
    return openable;
  };
  let before = await read();
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    if (before.data.current === null) return { openable: before, outcomes: [] };
    const outcomes = await allOutcomes(server, key);
    const after = await read();
    if (outcomes !== null && identityOf(after) === identityOf(before)) return { openable: after, outcomes };
    before = after;
  }
  throw new OperatorError(
    `${key.slug}: a new calculation was published during each of ${attemptsMax} attempts to read one; try again later`,
    exitCodes.temporary,
  );
}

/**
 * Reads saved responses. `pages` are the names of all pages of the outcomes, in order.
 * @throws {OperatorError} when a file is unreadable, not such a response, or out of order.
 */
export async function fromFiles(
  current: string,
  pages: readonly string[],
  key: CalculationKey,
): Promise<PublishedAnswers> {
  const openable = readAnswer("getOpenable", current, await bytesOf(current));
  refuseOther(current, openable, key);
  const outcomes: Outcome[] = [];
  for (const [index, page] of pages.entries()) {
    const { data, meta } = readAnswer("listOpenableOutcomes", page, await bytesOf(page));
    const isLast = index === pages.length - 1;
    if (isLast && meta.next_page !== null) {
      throw new OperatorError(`${page}: more pages follow it (next_page is not null); --outcomes needs all of them`);
    }
    if (!isLast && meta.next_page === null) {
      throw new OperatorError(`${page}: it is the last page, but ${pages[index + 1]} follows it`);
    }
    outcomes.push(...data);
  }
  return { openable, outcomes };
}

function bytesOf(path: string): Promise<Buffer> {
  return readCompressedFile(existing(path), fileBytesMax);
}

/** Returns the joined pages, null if the pool was replaced between two of them. */
async function allOutcomes(server: ServerReads, { slug, valuationMode }: CalculationKey): Promise<Outcome[] | null> {
  const outcomes: Outcome[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const query = { valuation_mode: valuationMode, limit: pageRowsMax, ...(after === null ? {} : { after }) };
    const page: Answer<"listOpenableOutcomes"> | null = await server.outcomes(slug, query);
    if (page === null) return null;
    outcomes.push(...page.data);
    after = page.meta.next_page;
    if (after === null) return outcomes;
  }
  throw new OperatorError(`${slug}: the outcomes do not end within ${pagesMax} pages`);
}

/** Returns a text that changes with every calculation and every revision of the pool. */
function identityOf({ data: { current, pool } }: Answer<"getOpenable">): string {
  return JSON.stringify([current?.revision_id, current?.calculated_at, pool.revision_id]);
}

function refuseOther(name: string, { data }: Answer<"getOpenable">, { slug, valuationMode }: CalculationKey): void {
  if (data.slug !== slug)
    throw new OperatorError(`${name}: it is the answer for \`${displayText(data.slug)}\`, not for \`${slug}\``);
  if (data.valuation_mode === valuationMode) return;
  throw new OperatorError(
    `${name}: its valuation mode is ${displayText(data.valuation_mode)}, not ${valuationMode}; name it with --valuation-mode`,
  );
}
