import type { Fault } from "./faulted-request.ts";
import { futureFaults, listFaults } from "./list-faults.ts";
import { problemFaults } from "./problem-faults.ts";
import { streamFaults } from "./stream-faults.ts";
import { transportFaults } from "./transport-faults.ts";

/** All faults by script name. */
export const faults: Readonly<Record<string, Fault>> = {
  pass: { about: "the server answers", figures: {}, act: (turn) => turn.pass() },
  next_publication: {
    about: "a replay moves to its next publication before the server answers",
    figures: {},
    async act(turn) {
      turn.entry.applied = await turn.publishNext();
      await turn.pass();
    },
  },
  ...problemFaults,
  ...transportFaults,
  ...streamFaults,
  ...listFaults,
  ...futureFaults,
};
