import { writeFileSync } from "node:fs";
import mocha from "mocha";

/** Prints the usual report, and writes a small file of counts for scripts/test.ts. */
export default class Reporter extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const result = { passed: 0, failed: [], skipped: [] };
    runner.on("pass", () => {
      result.passed += 1;
    });
    runner.on("fail", (test, error) =>
      result.failed.push({
        file: test.file ?? null,
        title: test.fullTitle(),
        message: String(error?.message ?? error),
      }),
    );
    runner.on("pending", (test) => result.skipped.push(test.fullTitle()));
    runner.once("end", () => {
      const path = options.reporterOption?.result ?? options.reporterOptions?.result;
      if (path !== undefined) writeFileSync(path, JSON.stringify(result));
    });
  }
}
