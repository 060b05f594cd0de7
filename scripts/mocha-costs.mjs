import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { processorTime } from "./support/processor.ts";

const path = process.env.TEST_COSTS_FILE;

/** Returns the CPU time of this process and of its children that ended, ms. */
function cpuMs() {
  const time = processorTime("self");
  return time === null ? 0 : Math.round(1000 * (time.own + time.children));
}

let before = 0;

/** Notes what each test file cost in this process of mocha's, a line of JSON each: what was loaded, its hooks and its tests. */
export const mochaHooks = {
  afterAll() {
    const file = this.test.parent.suites.find((suite) => suite.file !== undefined)?.file;
    const now = cpuMs();
    const cost = { file: file === undefined ? "no file" : relative(process.cwd(), file), ms: now - before };
    if (path !== undefined) appendFileSync(path, `${JSON.stringify(cost)}\n`);
    before = now;
  },
};
