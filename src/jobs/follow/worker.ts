import { assembleRelease, type FoundRelease, findRelease, installRelease, nameOf } from "../../releases/fetch.ts";
import { openSource } from "../../releases/source.ts";
import { parseTrust } from "../../releases/trust.ts";
import { holdLock } from "../../store/file/lock.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import { serveThread } from "../../worker/thread.ts";
import { lowerPriority } from "../lower-priority.ts";
import { type FollowAnswers, type FollowReply, type FollowRequest, type FollowThread, reasonOf } from "./thread.ts";

// The thread that downloads one release for a server. It finds the release, assembles it, and replaces the file.
serveThread<FollowThread, FollowRequest, FollowReply>(({ source: place, trust, path }, { closing }) => {
  lowerPriority();
  const lock = holdLock(path, "release");
  const source = openSource(place, closing);
  let found: FoundRelease | null = null;
  const foundNow = () => {
    if (found === null) throw new Error("no release was requested");
    return found;
  };
  const steps: { [Step in FollowRequest]: () => Promise<FollowAnswers[Step]> } = {
    async find() {
      found = await findRelease(source, parseTrust(trust), path);
      const { manifest, isNew } = found;
      const { number, sealed_at, chunks } = manifest;
      const facts = { number, sealedAt: Date.parse(sealed_at), generation: nameOf(manifest) };
      return { ...facts, chunks: chunks.length, isNew };
    },
    assemble: () => assembleRelease(foundNow(), { source, path, signal: closing, isServed: true }),
    async keep() {
      installRelease(foundNow(), path);
      return null;
    },
  };
  return {
    async answer(step) {
      try {
        return { answer: await steps[step]() };
      } catch (error) {
        // Sent as a reply, because an error loses its kind between threads.
        return { refused: reasonOf(StoreRefusal.from(path, error)) };
      }
    },
    close: () => lock.release(),
  };
});
