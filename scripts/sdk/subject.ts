import { demoAt, World } from "../../test/support/world.ts";
import type { Subject } from "./check.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The real server in the demo world, on a file that goes away. */
export async function openSubject(): Promise<{ subject: Subject; stop(): Promise<void> }> {
  const world = await World.start();
  // The plan with the most requests in a minute, so that no SDK is refused for its pace.
  const { secret } = world.account("quant", "SDK check", demoAt + 30 * dayMs);
  const subject = {
    base: world.base,
    keys: { market: secret, portfolio: world.keys.builderToken, unknown: `itemtape_live_${"0".repeat(36)}` },
    nextMinute: () => world.clock.advance(minuteMs),
  };
  return { subject, stop: () => world.stop() };
}
