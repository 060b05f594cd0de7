import { assembleRelease, type FoundRelease, findRelease, installRelease, nameOf } from "../../releases/fetch.ts";
import { HeldCheck } from "../../releases/held.ts";
import { openSource } from "../../releases/source.ts";
import { parseTrust } from "../../releases/trust.ts";
import { holdLock } from "../../store/file/lock.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import { serveThread } from "../../worker/thread.ts";
import { lowerPriority } from "../lower-priority.ts";
import { type FollowAnswers, type FollowReply, type FollowRequest, type FollowThread, reasonOf } from "./thread.ts";

// The thread that downloads one release for a server, or checks its file. It finds the release, assembles it, and replaces the file.
serveThread<FollowThread, FollowRequest, FollowReply>(({ source: place, trust, path }, { closing }) => {
  lowerPriority();
  const lock = holdLock(path, "release");
  const source = openSource(place, closing);
  let found: FoundRelease | null = null;
  const foundNow = () => {
    if (found === null) throw new Error("no release was requested");
    return found;
  };
  let checked: HeldCheck | null = null;
  const steps: { [Step in keyof FollowAnswers]: (from: number) => Promise<FollowAnswers[Step]> } = {
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
    async check(from) {
      checked ??= HeldCheck.of(path);
      return checked?.step(from) ?? null;
    },
  };
  return {
    async answer({ step, from }) {
      try {
        return { answer: await steps[step](from) };
      } catch (error) {
        // Sent as a reply, because an error loses its kind between threads.
        return { refused: reasonOf(StoreRefusal.from(path, error)) };
      }
    },
    close: () => lock.release(),
  };
});
