import { contractDiff, softwareFault } from "./contract/diff/command.ts";

// Whoever reads only the beginning, such as `head`, closes the pipe; the exit code still says what was found.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exitCode = softwareFault;
  });
}

const { stdout, stderr, exitCode } = contractDiff(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
