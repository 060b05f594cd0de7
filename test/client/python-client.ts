import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** The client for Python as it is served. */
export const pythonFile = fileURLToPath(new URL("../../generated/client/itemtape.py", import.meta.url));

/**
 * A call of a method of the Python client with its key, named parameters and retry rules. `follow` returns the first market of a new loop,
 * `next` the next one. `first` returns the current content of the first market, and `clear` removes all items from the last one.
 */
export type PythonCall = {
  base: string;
  key?: string | null;
  method: string;
  params?: object;
  args?: readonly unknown[];
  retry?: object;
  /** For `follow`: continues from the last market as if it had this generation and had been stored as JSON. */
  since?: string | undefined;
  /** Of `follow` and `next`: for how long the server may let a request wait; 30. */
  waitSeconds?: number;
};

// biome-ignore-start lint/suspicious/noExplicitAny: tests read any field of the Python result.
/**
 * The result: the value, or the name and attributes of the exception. Also the waits in seconds and the arguments of a loop's `on_retry`.
 */
export type PythonResult = {
  value?: any;
  error?: string;
  facts?: any;
  message?: string;
  waits: number[];
  notices: any[];
};
// biome-ignore-end lint/suspicious/noExplicitAny: as above.

/** One process of Python that calls the client for one test after the other. Its time moves only when it waits. */
export class PythonClient {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    this.#child = spawn(oldestPython(), ["-W", "error", "-c", driver, pythonFile], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONIOENCODING: "utf-8" },
    });
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  async call(call: PythonCall): Promise<PythonResult> {
    this.#child.stdin.write(`${JSON.stringify(call)}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("Python ended");
    return JSON.parse(value) as PythonResult;
  }

  stop(): void {
    this.#child.kill();
  }
}

let oldest: string | undefined;

/** The oldest supported version of Python, if it is installed. */
function oldestPython(): string {
  oldest ??= spawnSync("python3.9", ["--version"]).status === 0 ? "python3.9" : "python3";
  return oldest;
}

const driver = `
import dataclasses, importlib.util, json, sys
spec = importlib.util.spec_from_file_location("itemtape", sys.argv[1])
itemtape = importlib.util.module_from_spec(spec)
sys.modules["itemtape"] = itemtape
spec.loader.exec_module(itemtape)

def plain(value):
    if dataclasses.is_dataclass(value):
        return dataclasses.asdict(value)
    return value if isinstance(value, (dict, list, str, int, float, type(None))) else [plain(one) for one in value]

markets, seen, notices = None, [], []
def followed(client, call):
    global markets
    if call["method"] == "first":
        return seen[0]
    if call["method"] == "clear":
        seen[-1].items.clear()
        return seen[-1]
    if call["method"] == "follow":
        since = call.get("since")
        copy = None if since is None else itemtape.MarketCopy(since, json.loads(json.dumps(seen[-1].items)))
        markets = client.follow(**{"since": copy, **call.get("params", {})})
        seen.clear()
    seen.append(next(markets))
    return seen[-1]

def of_market(market):
    return {**dataclasses.asdict(market), "items": list(market.items.items())}

for line in sys.stdin:
    call, waits, clock = json.loads(line), [], [0.0]
    notices.clear()
    def sleep(seconds):
        waits.append(seconds)
        clock[0] += seconds
    parts = itemtape.Parts(
        now=lambda: 1768478400 + clock[0], monotonic=lambda: clock[0], sleep=sleep, random=lambda: 0.0
    )
    try:
        retry = itemtape.RetryPolicy(**call.get("retry", {}))
        note = lambda notice: notices.append(dataclasses.asdict(notice))
        client = itemtape.Itemtape(call["base"], api_key=call.get("key"), retry=retry, on_retry=note, parts=parts)
        itemtape._FOLLOW_WAIT_S = call.get("waitSeconds", 30)
        if call["method"] in ("follow", "next", "first", "clear"):
            result = {"value": of_market(followed(client, call))}
        else:
            value = getattr(client, call["method"])(*call.get("args", []), **call.get("params", {}))
            result = {"value": plain(value)}
    except Exception as error:
        facts = {name: one for name, one in vars(error).items() if name != "problem"}
        cause = type(error.__cause__).__name__
        result = {"error": type(error).__name__, "message": str(error), "facts": facts, "cause": cause}
    print(json.dumps({**result, "waits": waits, "notices": notices}), flush=True)
`;
