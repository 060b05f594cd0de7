import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";

/** Clock ticks of Linux's /proc, which are 10 ms on every machine. */
const tickMs = 10;
const path = process.env.TEST_COSTS_FILE;

/** Returns the CPU time of this process and of its children that ended, ms. */
function cpuMs() {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0);
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
