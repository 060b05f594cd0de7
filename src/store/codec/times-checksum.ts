import { crc32 } from "node:zlib";

const modulus = 2 ** 32;

/** Times of a stored quote in UTC ms, with the nulls of its row. */
export type QuoteTimes = { askAsOf: number | null; askSince: number | null; bidAsOf: number | null };

/** Sums the checksums of times that no digest covers, modulo 2^32. A publication adjusts the sum only for changed times. */
export class TimesChecksum {
  #sum: number;

  constructor(sum = 0) {
    this.#sum = sum;
  }

  get value(): number {
    return this.#sum;
  }

  /** Subtracts another sum. */
  remove({ value }: TimesChecksum): void {
    this.#add(-value);
  }

  addQuote(provider: string, itemId: number, times: QuoteTimes): void {
    this.#add(checksumOf(provider, itemId, times));
  }

  /** Adds the change time of an item's best ask. Pass null if the item has none. */
  addBestAsk(itemId: number, changedAt: number | null): void {
    if (changedAt !== null) this.#add(crc32(`${itemId} ${changedAt}`));
  }

  removeBestAsk(itemId: number, changedAt: number | null): void {
    if (changedAt !== null) this.#add(-crc32(`${itemId} ${changedAt}`));
  }

  /** Adds a provider's `quotes_as_of`. Pass null if it has none. */
  addShared(provider: string, quotesAsOf: number | null): void {
    if (quotesAsOf !== null) this.#add(crc32(`${provider} ${quotesAsOf}`));
  }

  removeShared(provider: string, quotesAsOf: number | null): void {
    if (quotesAsOf !== null) this.#add(-crc32(`${provider} ${quotesAsOf}`));
  }

  #add(checksum: number): void {
    this.#sum = (((this.#sum + checksum) % modulus) + modulus) % modulus;
  }
}

function checksumOf(provider: string, itemId: number, { askAsOf, askSince, bidAsOf }: QuoteTimes): number {
  return crc32(`${provider} ${itemId} ${askAsOf} ${askSince} ${bidAsOf}`);
}
