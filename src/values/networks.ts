import { BlockList, isIP } from "node:net";

const bitsOf = { ipv4: 32, ipv6: 128 } as const;

/** A set of IP networks. An IPv4 address written in IPv6 counts as itself. */
export class Networks {
  readonly #list = new BlockList();
  readonly #text: string;
  /** The last answer: to look takes longer than all else that a new connection needs, and most come from where the one before came from. */
  #last = { address: "", isIncluded: false };

  /**
   * Reads addresses and networks such as `10.0.0.0/8, ::1`, separated by commas; an empty text holds none.
   * @throws {Error} when a part is neither; the message names the part.
   */
  constructor(text: string) {
    const parts = text.split(",").map((part) => part.trim());
    if (parts.length > 1 || parts[0] !== "") for (const part of parts) this.#add(part);
    this.#text = parts.join(", ");
  }

  /** Returns whether `address` lies in one of the networks; false for what is no address. */
  includes(address: string): boolean {
    if (address !== this.#last.address) this.#last = { address, isIncluded: this.#look(address) };
    return this.#last.isIncluded;
  }

  toString(): string {
    return this.#text;
  }

  #look(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#list.check(address, version === 4 ? "ipv4" : "ipv6");
  }

  #add(part: string): void {
    const [address = "", prefix, ...more] = part.split("/");
    // Not by `isIP`: its regular expression for IPv6 takes ten milliseconds of a start, and the list looks at the address itself.
    const family = address.includes(":") ? "ipv6" : "ipv4";
    const bits = bitsOf[family];
    const length = prefix === undefined ? bits : /^(0|[1-9][0-9]{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
    try {
      if (more.length > 0 || !(length <= bits)) throw new RangeError(part);
      this.#list.addSubnet(address, length, family);
    } catch {
      throw new Error(`addresses and networks such as 10.0.0.0/8, separated by commas; \`${part}\` is neither`);
    }
  }
}

/** Returns the network that one client has to itself: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::/64`;
}
