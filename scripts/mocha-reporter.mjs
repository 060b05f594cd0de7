import { writeFileSync } from "node:fs";
import mocha from "mocha";

/** The usual readable report, and beside it a small file of counts for scripts/test.ts. */
export default class Reporter extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const result = { passes: 0, failures: 0, skipped: [] };
    runner.on("pass", () => {
      result.passes += 1;
    });
    runner.on("fail", () => {
      result.failures += 1;
    });
    runner.on("pending", (test) => result.skipped.push(test.fullTitle()));
    runner.once("end", () => {
      const path = options.reporterOption?.result ?? options.reporterOptions?.result;
      if (path !== undefined) writeFileSync(path, JSON.stringify(result));
    });
  }
}
