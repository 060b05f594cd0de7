import { writeFileSync } from "node:fs";
import { exampleValue, type Shown, Stage, shownExamples } from "../test/contract/replay.ts";
import { requestBodies } from "../test/contract/replay-table.ts";
import { documentFile, parseDocument, readDocumentText, repositoryRoot } from "./contract/document.ts";
import { type Rewrite, rewriteValues } from "./contract/rewrite.ts";

/**
 * Plays the replay table against the program in the demo world and writes what it answers into the examples of openapi.yaml.
 * An example that several operations share is taken from the first of them; the tests compare the others with it.
 */
async function record(): Promise<void> {
  const text = readDocumentText();
  const stage = await Stage.start();
  try {
    const firsts = new Map<string, Shown>();
    for (const shown of shownExamples(parseDocument(text))) {
      if (!shown.isUnreachable && !firsts.has(shown.component)) firsts.set(shown.component, shown);
    }
    const rewrites: Rewrite[] = [];
    for (const [component, shown] of firsts) {
      const answer = await stage.play(shown);
      if (answer.status !== shown.status) {
        throw new Error(
          `${component}: ${shown.operationId} answered ${answer.status}, not ${shown.status}: ${answer.text}`,
        );
      }
      rewrites.push({ at: ["components", "examples", component, "value"], value: exampleValue(answer) });
    }
    // As it is now: the document may have been edited while the examples were played.
    const latest = readDocumentText();
    const rewritten = rewriteValues(latest, [...rewrites, ...givenValues(stage)]);
    writeFileSync(`${repositoryRoot}${documentFile}`, rewritten);
    process.stdout.write(
      `${documentFile}: ${firsts.size} examples recorded${rewritten === latest ? ", none changed" : "; now run `npm run generate`"}\n`,
    );
  } finally {
    await stage.world.stop();
  }
}

/** What the requests of the table say, where the document shows it. */
function givenValues({ subjects }: Stage): Rewrite[] {
  const bodies = Object.entries(requestBodies(subjects)).map(([component, value]) => ({
    at: ["components", "examples", component, "value"],
    value,
  }));
  const { phased, plain, providersPage, inventory } = subjects;
  return [
    ...bodies,
    { at: ["components", "parameters", "After", "example"], value: providersPage },
    { at: ["components", "schemas", "PageCursor", "examples"], value: [providersPage] },
    { at: ["components", "parameters", "ItemIdInPath", "example"], value: plain },
    { at: ["components", "schemas", "ItemId", "examples"], value: [phased] },
    { at: ["components", "parameters", "PortfolioIdInPath", "example"], value: inventory },
    { at: ["components", "schemas", "PortfolioId", "examples"], value: [inventory] },
  ];
}

await record();
