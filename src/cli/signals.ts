import { constants } from "node:os";

/** Reports that a signal stopped the work. */
export class Stopped extends Error {
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Listens for the first signal that ends the program. A closed terminal does not end it. `forget` stops listening. */
export function signals(): { first: Promise<NodeJS.Signals>; forget(): void } {
  const { promise: first, resolve: end } = Promise.withResolvers<NodeJS.Signals>();
  const ignore = () => undefined;
  process.once("SIGTERM", end).once("SIGINT", end).on("SIGHUP", ignore);
  return { first, forget: () => void process.off("SIGTERM", end).off("SIGINT", end).off("SIGHUP", ignore) };
}

/** Runs `work` with a signal that the first of `signals` aborts. */
export async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const { first, forget } = signals();
  void first.then(() => ending.abort());
  return work(ending.signal).finally(forget);
}

/** Runs `work` with a signal that is aborted with `Stopped`, even when the terminal is closed. */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const onSignal = (signal: NodeJS.Signals) => stop.abort(new Stopped(signal));
  for (const name of names) process.on(name, onSignal);
  try {
    return await work(stop.signal);
  } finally {
    for (const name of names) process.off(name, onSignal);
  }
}
