/** Listens for the first signal that ends the program; a terminal that is closed does not. `forget` listens for none any more. */
export function signals(): { first: Promise<NodeJS.Signals>; forget(): void } {
  let end: (signal: NodeJS.Signals) => void = () => undefined;
  const first = new Promise<NodeJS.Signals>((resolve) => {
    end = resolve;
  });
  const ignore = () => undefined;
  process.once("SIGTERM", end).once("SIGINT", end).on("SIGHUP", ignore);
  return { first, forget: () => void process.off("SIGTERM", end).off("SIGINT", end).off("SIGHUP", ignore) };
}
