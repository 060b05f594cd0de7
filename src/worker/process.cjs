const { importSource } = require("../launch.cjs");

// A process beside the program: its entry is the source file that it is given.
importSource(process.argv[2], "process");
