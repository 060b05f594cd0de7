import { assembleRelease, type FoundRelease, findRelease, keepRelease } from "../../releases/fetch.ts";
import { parsePublicKey } from "../../releases/key.ts";
import { openSource } from "../../releases/source.ts";
import { holdLock } from "../../store/file/lock.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import { serveThread } from "../../worker/thread.ts";
import { giveWay } from "../give-way.ts";
import { reasonOf } from "./reason.ts";
import type { FollowReply, FollowRequest, FollowThread } from "./thread.ts";

// The thread that takes one release of a source for a server: it finds it, assembles it, and puts it in the file's place.
serveThread<FollowThread, FollowRequest, FollowReply>(({ source: place, trust, path }, { closing }) => {
  giveWay();
  const lock = holdLock(path, "release");
  const source = openSource(place, closing);
  let found: FoundRelease | null = null;
  const foundNow = () => {
    if (found === null) throw new Error("no release was looked for");
    return found;
  };
  const steps = {
    async find(): Promise<FollowReply> {
      found = await findRelease(source, parsePublicKey(trust), path);
      const { manifest, isNew, isChained } = found;
      const { number, sealed_at, generation, chunks } = manifest;
      const facts = { number, sealedAt: Date.parse(sealed_at), generation: generation?.generation ?? null };
      return { release: { ...facts, chunks: chunks.length, isNew, isChained } };
    },
    async assemble(): Promise<FollowReply> {
      return { fetched: await assembleRelease(foundNow(), { source, path, signal: closing, isServed: true }) };
    },
    async keep(): Promise<FollowReply> {
      keepRelease(foundNow(), path);
      return {};
    },
  };
  return {
    // Sent as an answer, because an error loses its kind on the way between threads.
    answer: (step) => steps[step]().catch((error: unknown) => ({ refused: reasonOf(StoreRefusal.from(path, error)) })),
    close: () => lock.release(),
  };
});
