import { copyFileSync } from "node:fs";
import { documentedCursorKey } from "../../src/demo/documented-world.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/sandbox.ts";
import { documentedWorld, type World } from "../../src/sandbox/world.ts";
import { openWriter } from "../../src/store/database.ts";
import { setCursorKey } from "../../src/store/write/demo-mark.ts";
import { systemIds } from "../../src/values/ids.ts";
import { silent } from "../../src/values/progress.ts";
import { type DemoFile, demoFewItemsFile, demoFile } from "../support/kept-files.ts";

/** A running sandbox and its control API. */
export type RunningSandbox = Sandbox & {
  base: string;
  world: World;
  /** Sends one message to the control API. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the control API.
  control(method: string, path: string, body?: unknown): Promise<{ status: number; json: any }>;
  /** Makes a Builder key with this script. */
  scripted(script: readonly unknown[], more?: object): Promise<{ key_id: string; key: string }>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  journal(key: { key_id: string }): Promise<any[]>;
};

/** Starts a sandbox in this process: of the documented world, or of one with a tenth of its items. */
export async function runSandbox({
  host = "127.0.0.1",
  world: given,
  fewItems = false,
}: {
  host?: string;
  world?: World;
  fewItems?: boolean;
} = {}): Promise<RunningSandbox> {
  const ids = systemIds();
  const world = given ?? documentedWorld(ids, silent, copyOf(fewItems ? demoFewItemsFile() : demoFile()));
  const sandbox = await startSandbox({ world, host, port: 0, ids });
  const base = `http://127.0.0.1:${sandbox.port}`;
  const control = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${sandbox.controlKey}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${base}/sandbox${path}`, { method, headers, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    return { status: answer.status, json: (await answer.json()) as any };
  };
  return {
    ...sandbox,
    base,
    world,
    control,
    scripted: async (script, more = {}) => (await control("POST", "/keys", { script, ...more })).json,
    journal: async ({ key_id: keyId }) => (await control("GET", `/keys/${keyId}/journal`)).json.data,
  };
}

/** Returns a function that creates the documented world from a cached file. */
function copyOf({ path: made, keys }: DemoFile) {
  return (path: string) => {
    copyFileSync(made, path);
    const database = openWriter(path, 0);
    setCursorKey(database, documentedCursorKey);
    database.$client.close();
    return keys;
  };
}
