import { connect, type Socket } from "node:net";
import { median } from "../../scripts/support/numbers.ts";
import type { Random } from "../sim/random.ts";

/** Microseconds by class, one of each class in a round. */
export type Samples<Name extends string> = ReadonlyMap<Name, number[]>;

export type Verdict = {
  /** Two-sided probability of a difference this large if the two classes need the same time. */
  p: number;
  /** Median of the paired differences, microseconds. */
  medianUs: number;
};

const flipsMax = 2500;
/** A difference that is larger than this many median absolute ones counts as this: the machine was busy elsewhere. */
const clipMedians = 3;

/** A connection that sends one request after the other and measures the time to the last byte of each answer. */
export class Stopwatch {
  readonly #socket: Socket;
  #text = "";
  #ended: (() => void) | null = null;

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.setEncoding("latin1").on("data", (chunk: string) => {
      this.#text += chunk;
      if (isWhole(this.#text)) this.#ended?.();
    });
  }

  /** Sends `request` and resolves to the microseconds that its answer took. Rejects on a status that is not `status`. */
  async measure(request: Buffer, status: number): Promise<number> {
    this.#text = "";
    const ended = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    const startedAt = process.hrtime.bigint();
    this.#socket.write(request);
    await ended;
    const tookUs = Number(process.hrtime.bigint() - startedAt) / 1000;
    if (!this.#text.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`the answer is ${this.#text.slice(0, 60)}`);
    return tookUs;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Measures one sample of each class per round, in random order, so that a drift affects all classes. */
export async function sampleRounds<Name extends string>(
  classes: readonly Name[],
  rounds: number,
  random: Random,
  measure: (name: Name) => Promise<number>,
): Promise<Samples<Name>> {
  const samples = new Map(classes.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(classes, random)) samples.get(name)!.push(await measure(name));
  }
  return samples;
}

/**
 * Two-sided permutation test of paired samples. If both classes need the same time, the two samples of a round are interchangeable, which
 * flips the sign of their difference. Exact for any distribution, because the clipping ignores signs.
 */
export function compare(one: readonly number[], other: readonly number[], random: Random): Verdict {
  const differences = one.map((sample, index) => sample - other[index]!);
  const limit = clipMedians * median(differences.map(Math.abs));
  const clipped = differences.map((difference) => Math.max(-limit, Math.min(limit, difference)));
  const found = Math.abs(clipped.reduce((sum, difference) => sum + difference, 0));
  let asLarge = 1;
  for (let flip = 1; flip < flipsMax; flip += 1) {
    let sum = 0;
    for (const difference of clipped) sum += random.chance(0.5) ? difference : -difference;
    if (Math.abs(sum) >= found) asLarge += 1;
  }
  return { p: asLarge / flipsMax, medianUs: median(differences) };
}

/** A problem record ends with its request's id. */
function isWhole(text: string): boolean {
  return text.endsWith('"}');
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const result = [...values];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = random.between(0, index);
    [result[index], result[other]] = [result[other]!, result[index]!];
  }
  return result;
}
