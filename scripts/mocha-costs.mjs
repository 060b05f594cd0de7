import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { processorTime } from "./support/processor.ts";

const path = process.env.TEST_COSTS_FILE;

/** Returns the CPU time of this process and of its ended children, ms. */
function cpuMs() {
  const time = processorTime("self");
  return time === null ? 0 : Math.round(1000 * (time.own + time.children));
}

let before = 0;

/** Records the cost of each test file in this mocha process as a line of JSON: modules, hooks and tests. */
export const mochaHooks = {
  afterAll() {
    const file = this.test.parent.suites.find((suite) => suite.file !== undefined)?.file;
    const now = cpuMs();
    const cost = { file: file === undefined ? "no file" : relative(process.cwd(), file), ms: now - before };
    if (path !== undefined) appendFileSync(path, `${JSON.stringify(cost)}\n`);
    before = now;
  },
};
