import { BlockList, isIP } from "node:net";

const bitsOf = { ipv4: 32, ipv6: 128 } as const;

/** A set of IP networks. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export class Networks {
  readonly #list = new BlockList();
  readonly #text: string;
  /** Result of the last lookup. A lookup is the slowest step of a new connection, and most connections have the previous address. */
  #last = { address: "", isIncluded: false };

  /**
   * Parses addresses and networks separated by commas, such as `10.0.0.0/8, ::1`. An empty text makes an empty set.
   * @throws {Error} if a part is invalid; the message names the part.
   */
  constructor(text: string) {
    const parts = text.split(",").map((part) => part.trim());
    if (parts.length > 1 || parts[0] !== "") for (const part of parts) this.#add(part);
    this.#text = parts.join(", ");
  }

  /** Returns whether `address` is in one of the networks. Returns false for an invalid address. */
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
    // Avoids `isIP`: its regular expression for IPv6 adds ten milliseconds to a start, and the list validates the address itself.
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

/** Returns the network of one client: an IPv4 address, or the /64 of an IPv6 address. */
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
