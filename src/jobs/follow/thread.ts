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
/** What the thread is asked for, in this order. */
export type FollowRequest = "find" | "assemble" | "keep";
export type FollowReply = {
  release?: FoundFacts;
  fetched?: FetchedFacts;
  refused?: FollowReason;
};

/** Takes one release in a thread of its own, step by step. */
export class TakingThread {
  readonly #thread: WorkerThread<FollowRequest, FollowReply>;

  constructor(setup: FollowThread) {
    this.#thread = new WorkerThread({ entry: "src/jobs/follow/worker.ts", setup });
  }

  /** Reads the newest manifest. @throws {FollowRefusal} */
  async find(): Promise<FoundFacts> {
    return (await this.#ask("find")).release!;
  }

  /** Makes the file of that release beside the one that is served. @throws {FollowRefusal} */
  async assemble(): Promise<FetchedFacts> {
    return (await this.#ask("assemble")).fetched!;
  }

  /** Puts it in its place. @throws {FollowRefusal} */
  async keep(): Promise<void> {
    await this.#ask("keep");
  }

  /** Ends the thread, whatever it does. What is there of a release is used by the next one. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #ask(step: FollowRequest): Promise<FollowReply> {
    const reply = await this.#thread.ask(step).catch((error: unknown) => ({ refused: reasonOf(error) }) as FollowReply);
    if (reply.refused !== undefined) throw new FollowRefusal(reply.refused);
    return reply;
  }
}
