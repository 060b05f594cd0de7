// The other end of `startChild`: calls the exported functions of a module until the parent disconnects, then its `close`.
const module = await import(process.argv[2] ?? "");

process.on("message", async ({ name, argument }: { name: string; argument: unknown }) => {
  try {
    process.send?.({ result: await module[name](argument) });
  } catch (error) {
    process.send?.({ error: (error as Error).stack ?? String(error) });
  }
});
process.on("disconnect", async () => {
  await module.close();
  process.exit();
});
// Ctrl+C reaches every process of the terminal: the parent decides when to end.
process.on("SIGINT", () => undefined);
