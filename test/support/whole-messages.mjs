import { config } from "chai";

// The log of a failure on another machine must show the compared values. The default of 40 characters prints `[ Array(1) ]`.
config.truncateThreshold = 2000;
