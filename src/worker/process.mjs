import { importSource } from "../launch.mjs";

// A process beside the program: its entry is the source file that it is given.
await importSource(process.argv[2], "process");
