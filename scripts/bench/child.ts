import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { childProgram, translationFolder } from "../support/child-program.ts";

// biome-ignore lint/suspicious/noExplicitAny: a module exports functions of any kind.
type AnyFunction = (...words: any[]) => unknown;
type ArgumentOf<F> = F extends AnyFunction ? Parameters<F> : never;
type ResultOf<F> = F extends AnyFunction ? Awaited<ReturnType<F>> : never;

/** A module that runs in a process of its own. */
export type Child<Module> = {
  pid: number;
  /** Calls an exported function, one at a time. Rejects with its error, or if the process ends. */
  call<Name extends keyof Module>(name: Name, ...argument: ArgumentOf<Module[Name]>): Promise<ResultOf<Module[Name]>>;
  stop(): Promise<void>;
};

const root = new URL("../../", import.meta.url);
let shipped: Promise<string> | undefined;

/** Translates the service as a package holds it. Returns the file's path. */
function shippedApp(): Promise<string> {
  const source = "src/app.ts";
  const translate = async () => {
    const folder = translationFolder();
    const { bundle } = await import(new URL("src/bundle.mjs", root).href);
    await bundle(fileURLToPath(root), folder, [source]);
    return join(folder, source.replace(/\.ts$/, ".cjs"));
  };
  shipped ??= translate();
  return shipped;
}

const worker = new URL("./worker.ts", import.meta.url);

/** Starts a process for a module. `path`: from this folder; `core` null: not pinned to one. */
export async function startChild<Module>(path: string, core: string | null): Promise<Child<Module>> {
  const program = await childProgram(worker);
  const module = await childProgram(new URL(path, import.meta.url));
  const words = [process.execPath, program, pathToFileURL(module).href];
  const [command = "", ...rest] = core === null ? words : ["taskset", "-c", core, ...words];
  const env = { ...process.env, NODE_ENV: "production", ITEMTAPE_BENCH_APP: await shippedApp() };
  const child = spawn(command, rest, { env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit").then(() => [{ result: null, error: "a child process ended" }]);
  return {
    pid: child.pid ?? 0,
    async call(name, ...[argument]) {
      child.send({ name, argument });
      const [{ result, error }] = await Promise.race([once(child, "message"), ended]);
      if (error !== undefined) throw new Error(error);
      return result;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
