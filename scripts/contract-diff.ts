import { contractDiff } from "./contract/diff/command.ts";

const { stdout, stderr, exitCode } = contractDiff(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
