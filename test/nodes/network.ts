import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Addresses of the machine and of the node on the cable between them, and a card that nobody has. */
const outside = "10.213.7.1";
export const inside = "10.213.7.2";
export const addresses = "10.213.7.0/30";
const nobody = "02:00:00:00:00:01";

/** A network of its own, joined to the machine by one cable that can be cut: packets are lost then, and no end is told. Needs root. */
export class Network {
  readonly #name: string;

  /** Makes it; null where this process may not. */
  static async make(): Promise<Network | null> {
    const network = new Network(`itemtape-${process.pid}`);
    try {
      await network.#lay();
      return network;
    } catch {
      network.remove();
      return null;
    }
  }

  private constructor(name: string) {
    this.#name = name;
  }

  /** Words before a command that make it run inside. */
  get wrap(): readonly string[] {
    return ["ip", "netns", "exec", this.#name];
  }

  /** Address of the machine, as seen from inside. */
  get machine(): string {
    return outside;
  }

  /** Loses every packet in both directions: each end sends to a card that is not there. */
  async cut(): Promise<void> {
    await this.#ip("neigh", "replace", inside, "lladdr", nobody, "dev", this.#cable, "nud", "permanent");
    await this.#inside("neigh", "replace", outside, "lladdr", nobody, "dev", "inner", "nud", "permanent");
  }

  async heal(): Promise<void> {
    await this.#ip("neigh", "del", inside, "dev", this.#cable);
    await this.#inside("neigh", "del", outside, "dev", "inner");
  }

  remove(): void {
    spawnSync("ip", ["link", "del", this.#cable]);
    spawnSync("ip", ["netns", "del", this.#name]);
  }

  get #cable(): string {
    return `it${process.pid}`;
  }

  async #lay(): Promise<void> {
    await this.#ip("netns", "add", this.#name);
    await this.#ip("link", "add", this.#cable, "type", "veth", "peer", "name", "inner", "netns", this.#name);
    await this.#ip("addr", "add", `${outside}/30`, "dev", this.#cable);
    await this.#ip("link", "set", this.#cable, "up");
    await this.#inside("addr", "add", `${inside}/30`, "dev", "inner");
    await this.#inside("link", "set", "inner", "up");
    await this.#inside("link", "set", "lo", "up");
  }

  #ip(...words: string[]): Promise<unknown> {
    return run("ip", words);
  }

  #inside(...words: string[]): Promise<unknown> {
    return run("ip", ["-n", this.#name, ...words]);
  }
}
