import { writeFileSync } from "node:fs";
import { documentFile, parseDocument, readDocumentText, repositoryRoot } from "../../scripts/contract/document.ts";
import { type Rewrite, rewriteValues } from "../../scripts/contract/rewrite.ts";
import { type Recording, recordedValue, recordingsOf, shownExamples, writeFixtures } from "./recordings.ts";
import { Stage } from "./replay.ts";
import { requestBodies } from "./replay-table.ts";

/**
 * Plays the replay table against the program in the demo world. Writes the responses into the examples of openapi.yaml and into the
 * fixtures. A response shared by several operations is from the first of them. The tests compare the others with it.
 *
 * @throws {Error} if an operation responds with another status than its recording
 */
async function record(): Promise<void> {
  const text = readDocumentText();
  const stage = await Stage.start();
  try {
    const document = parseDocument(text);
    const values = await playAll(stage, recordingsOf(document));
    const shown = new Set(shownExamples(document).map(({ component }) => component));
    const rewrites = [...values]
      .filter(([component]) => shown.has(component))
      .map(([component, value]): Rewrite => ({ at: ["components", "examples", component, "value"], value }));
    // As it is now: the document may have been edited while the examples were played.
    const latest = readDocumentText();
    const rewritten = rewriteValues(latest, [...rewrites, ...givenValues(stage)]);
    writeFileSync(`${repositoryRoot}${documentFile}`, rewritten);
    writeFixtures(values);
    process.stdout.write(
      `${rewrites.length} examples and ${values.size - rewrites.length} fixtures recorded; ` +
        `${documentFile} ${rewritten === latest ? "is as it was" : "changed: run `npm run generate`"}\n`,
    );
  } finally {
    await stage.world.stop();
  }
}

/** The value of each recording by name, from the first operation that gives it. */
async function playAll(stage: Stage, recordings: readonly Recording[]): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const recording of recordings) {
    const { component, operationId, status, isUnreachable } = recording;
    if (isUnreachable || values.has(component)) continue;
    const answer = await stage.play(recording);
    if (answer.status !== status) {
      throw new Error(`${component}: ${operationId} answered ${answer.status}, not ${status}: ${answer.text}`);
    }
    values.set(component, recordedValue(answer));
  }
  return values;
}

/** The table's request values, at their places in the document. */
function givenValues({ subjects }: Stage): Rewrite[] {
  const bodies = Object.entries(requestBodies(subjects)).map(([component, value]) => ({
    at: ["components", "examples", component, "value"],
    value,
  }));
  const { phased, plain, inventory } = subjects;
  return [
    ...bodies,
    { at: ["components", "parameters", "ItemIdInPath", "example"], value: plain },
    { at: ["components", "schemas", "ItemId", "examples"], value: [phased] },
    { at: ["components", "parameters", "PortfolioIdInPath", "example"], value: inventory },
    { at: ["components", "schemas", "PortfolioId", "examples"], value: [inventory] },
  ];
}

await record();
