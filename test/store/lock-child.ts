import { holdLock } from "../../src/store/file/lock.ts";

/** Holds the server's lock of the file that is named until it is killed. */
holdLock(process.argv[2]!, "serve");
process.stdout.write("held\n");
setInterval(() => {}, 60_000);
