import { contractDiff, softwareFault } from "../src/review/command.ts";

// A reader that stops early, such as `head`, closes the pipe. The exit code still reports the findings.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exitCode = softwareFault;
  });
}

const { stdout, stderr, exitCode } = await contractDiff(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
