import { ReleaseRefusal } from "../../releases/refusal.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import { type FollowReasonName, followReasons } from "../../values/failure/follow-reasons.ts";
import { WorkerThread } from "../../worker/thread.ts";

/** Why a release was not taken; it can be sent to another thread. */
export type FollowReason = { kind: FollowReasonName; message: string };

/** A release that was not taken: the one that is served stays. */
export class FollowRefusal extends Error {
  readonly kind: FollowReason["kind"];

  constructor({ kind, message }: FollowReason) {
    super(message);
    this.name = "FollowRefusal";
    this.kind = kind;
  }
}

/** Returns the reason that an error means; `failed`: whatever else went wrong. */
export function reasonOf(error: unknown): FollowReason {
  const { message } = error as Error;
  if (error instanceof FollowRefusal) return { kind: error.kind, message };
  const given = error instanceof ReleaseRefusal || error instanceof StoreRefusal ? error.kind : "failed";
  return { kind: followReasons.find((kind) => kind === given) ?? "failed", message };
}

/** A release that a source has. `sealedAt` UTC ms; `generation` null: nothing is published in it. */
type FoundFacts = {
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
