import type { Database } from "../../src/store/database.ts";

/** Adds a provider of a known feed, with a new number. */
export function insertProvider(
  { $client: client }: Database,
  {
    provider,
    feed,
    name = provider,
    active = true,
  }: { provider: string; feed: string; name?: string; active?: boolean },
): void {
  client
    .prepare(
      "INSERT INTO providers(provider, name, kind, feed, has_asks, has_bids, active) VALUES (?, ?, 'cash', ?, 1, 0, ?)",
    )
    .run(provider, name, feed, Number(active));
  client
    .prepare("INSERT INTO frame_providers SELECT ?, coalesce(max(number), -1) + 1 FROM frame_providers")
    .run(provider);
}
