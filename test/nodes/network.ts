import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Addresses of all networks. */
export const addresses = "10.213.0.0/16";
/** Blocks of four addresses among them: a process has one of its own. */
const blocks = 16_384;
/** A MAC address without a network card. */
const nobody = "02:00:00:00:00:01";

/** A separate network, joined to the machine by one cable. Cutting it loses packets without closing connections. Needs root. */
export class Network {
  /** Address of the node that runs inside, as seen from the machine. */
  readonly inside: string;
  /** Address of the machine, as seen from inside. */
  readonly machine: string;
  readonly #name: string;
  readonly #cable: string;

  /** Creates it. Returns null if this process may not. */
  static async make(): Promise<Network | null> {
    const network = new Network(process.pid);
    try {
      await Network.#removeOfTheDead();
      await network.#lay();
      return network;
    } catch {
      network.remove();
      return null;
    }
  }

  /** Removes the networks of processes that ended before they could. */
  static async #removeOfTheDead(): Promise<void> {
    const { stdout } = await run("ip", ["netns", "list"]);
    for (const [, pid] of stdout.matchAll(/^itemtape-(\d+)/gm))
      if (Number(pid) === process.pid || !existsSync(`/proc/${pid}`)) new Network(Number(pid)).remove();
  }

  private constructor(pid: number) {
    const block = pid % blocks;
    const [third, fourth] = [Math.floor(block / 64), (block % 64) * 4];
    this.machine = `10.213.${third}.${fourth + 1}`;
    this.inside = `10.213.${third}.${fourth + 2}`;
    this.#name = `itemtape-${pid}`;
    this.#cable = `it${pid}`;
  }

  /** Words before a command that make it run inside. */
  get wrap(): readonly string[] {
    return ["ip", "netns", "exec", this.#name];
  }

  /** Loses every packet in both directions: each end sends to a card that is not there. */
  async cut(): Promise<void> {
    await this.#ip(`neigh replace ${this.inside} lladdr ${nobody} dev ${this.#cable} nud permanent`);
    await this.#inside(`neigh replace ${this.machine} lladdr ${nobody} dev inner nud permanent`);
  }

  async heal(): Promise<void> {
    await this.#ip(`neigh del ${this.inside} dev ${this.#cable}`);
    await this.#inside(`neigh del ${this.machine} dev inner`);
  }

  remove(): void {
    spawnSync("ip", ["link", "del", this.#cable]);
    spawnSync("ip", ["netns", "del", this.#name]);
  }

  async #lay(): Promise<void> {
    await this.#ip(
      `netns add ${this.#name}`,
      `link add ${this.#cable} type veth peer name inner netns ${this.#name}`,
      `addr add ${this.machine}/30 dev ${this.#cable}`,
      `link set ${this.#cable} up`,
    );
    await this.#inside(`addr add ${this.inside}/30 dev inner`, "link set inner up", "link set lo up");
  }

  #ip(...lines: string[]): Promise<unknown> {
    return batch([], lines);
  }

  #inside(...lines: string[]): Promise<unknown> {
    return batch(["-n", this.#name], lines);
  }
}

/** Runs lines of `ip` in one process of it. */
function batch(words: readonly string[], lines: readonly string[]): Promise<unknown> {
  const running = run("ip", [...words, "-batch", "-"]);
  running.child.stdin?.end(lines.map((line) => `${line}\n`).join(""));
  return running;
}
