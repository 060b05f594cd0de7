// An alias: under its own name a missing 12.x would resolve to the 13.x beside it, which crashes Node 20.
module.exports = require("better-sqlite3-12");
