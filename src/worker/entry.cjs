const { workerData } = require("node:worker_threads");
const { importSource } = require("../launch.cjs");

importSource(workerData.entry, "thread");
