import { calculateRoi } from "../../../src/jobs/roi/calculate.ts";
import { openWriter } from "../../../src/store/database.ts";
import type { FailpointName } from "../../../src/values/failpoints.ts";
import { ArmedFailpoints } from "../../support/armed-failpoints.ts";

/** A run in its own process: DATABASE TIME PLACE. Kills itself at the failpoint PLACE. */
const [path, at, place] = process.argv.slice(2);
const failpoints = new ArmedFailpoints();
failpoints.arm(place as FailpointName, () => process.kill(process.pid, "SIGKILL"));
const clock = { now: () => Number(at), monotonicMs: () => 0 };
calculateRoi(openWriter(path!, 1000), { clock, failpoints });
