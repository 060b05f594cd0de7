import type { Assembled } from "../../releases/assemble.ts";
import { ReleaseRefusal } from "../../releases/refusal.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import { type FollowReasonName, followReasons } from "../../values/failure/follow-reasons.ts";
import { WorkerThread } from "../../worker/thread.ts";

/** Why a release was rejected. It can be sent to another thread. */
export type FollowReason = { kind: FollowReasonName; message: string };

/** Thrown when a release is rejected. The served release stays. */
export class FollowRefusal extends Error {
  readonly kind: FollowReason["kind"];

  constructor({ kind, message }: FollowReason) {
    super(message);
    this.name = "FollowRefusal";
    this.kind = kind;
  }
}

/** Returns the reason of an error. Unknown errors have the kind `failed`. */
export function reasonOf(error: unknown): FollowReason {
  const { message } = error as Error;
  if (error instanceof FollowRefusal) return { kind: error.kind, message };
  const given = error instanceof ReleaseRefusal || error instanceof StoreRefusal ? error.kind : "failed";
  return { kind: followReasons.find((kind) => kind === given) ?? "failed", message };
}

/** A release of a source. `sealedAt` is UTC ms. `generation` is null if the release has no published generation. */
type FoundFacts = {
  number: number;
  sealedAt: number;
  generation: string | null;
  chunks: number;
  isNew: boolean;
};
/** Setup of the thread: source, trusted root and file path. */
export type FollowThread = { source: string; trust: string; path: string };
/** Replies of the thread: of a download, in this order, or of a check. `check` is the window of the next step, null after the last. */
export type FollowAnswers = { find: FoundFacts; assemble: Assembled; keep: null; check: number | null };
type FollowStep = keyof FollowAnswers;
/** `from` is the window at which a step of the check begins. */
export type FollowRequest = { step: FollowStep; from: number };
export type FollowReply = { answer: FollowAnswers[FollowStep] } | { refused: FollowReason };

/** Downloads one release, or checks the served file, step by step in a separate thread. */
export class DownloadThread {
  readonly #thread: WorkerThread<FollowRequest, FollowReply>;

  constructor(setup: FollowThread) {
    this.#thread = new WorkerThread({ entry: "src/jobs/follow/worker.ts", setup });
  }

  /**
   * Runs one step: reads the newest manifest, assembles the release beside the served file, replaces that file, or checks a part of it.
   * @throws {FollowRefusal} when the step fails.
   */
  async ask<Step extends FollowStep>(step: Step, from = 0): Promise<FollowAnswers[Step]> {
    const reply = await this.#thread.ask({ step, from }).catch((error: unknown) => ({ refused: reasonOf(error) }));
    if ("refused" in reply) throw new FollowRefusal(reply.refused);
    return reply.answer as FollowAnswers[Step];
  }

  /** Ends the thread at any point. The next run reuses the downloaded chunks. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
