import { WorkerThread } from "../../worker/thread.ts";
import { type FollowReason, FollowRefusal, reasonOf } from "./reason.ts";

/** A release that a source has. `sealedAt` UTC ms; `generation` null: nothing is published in it. */
export type FoundFacts = {
  number: number;
  sealedAt: number;
  generation: string | null;
  chunks: number;
  isNew: boolean;
  isChained: boolean;
};
type FetchedFacts = { fetchedChunks: number; fetchedBytes: number };

/** Setup of the thread: where from, by whose key, for which file. */
export type FollowThread = { source: string; trust: string; path: string };
/** The answers of the thread to its requests, which come in this order. */
export type FollowAnswers = { find: FoundFacts; assemble: FetchedFacts; keep: null };
export type FollowRequest = keyof FollowAnswers;
export type FollowReply = { answer: FollowAnswers[FollowRequest] } | { refused: FollowReason };

/** Takes one release in a thread of its own, step by step. */
export class TakingThread {
  readonly #thread: WorkerThread<FollowRequest, FollowReply>;

  constructor(setup: FollowThread) {
    this.#thread = new WorkerThread({ entry: "src/jobs/follow/worker.ts", setup });
  }

  /**
   * Reads the newest manifest, makes the file of that release beside the one that is served, or puts it in its place.
   * @throws {FollowRefusal} when the step fails.
   */
  async ask<Step extends FollowRequest>(step: Step): Promise<FollowAnswers[Step]> {
    const reply = await this.#thread.ask(step).catch((error: unknown) => ({ refused: reasonOf(error) }));
    if ("refused" in reply) throw new FollowRefusal(reply.refused);
    return reply.answer as FollowAnswers[Step];
  }

  /** Ends the thread, whatever it does. What is there of a release is used by the next one. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
