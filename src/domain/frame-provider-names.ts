import type { FramesStore } from "../store/read/frames.ts";

/** Maps the provider numbers in frames to slugs. A number is never reused, so it can be cached forever. */
export class FrameProviderNames {
  readonly #frames: FramesStore;
  #names = new Map<number, string>();

  constructor(frames: FramesStore) {
    this.#frames = frames;
  }

  of(number: number): string {
    const name = this.#names.get(number) ?? this.#reread().get(number);
    if (name === undefined) throw new Error(`a frame holds provider ${number}, which has no name`);
    return name;
  }

  #reread(): ReadonlyMap<number, string> {
    this.#names = new Map(this.#frames.providers().map((row) => [row.number, row.provider]));
    return this.#names;
  }
}
