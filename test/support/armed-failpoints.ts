import type { FailpointName, Failpoints } from "../../src/values/failpoints.ts";

/** Failpoints that do `action` when they are hit, from `arm` until `disarm`. */
export class ArmedFailpoints implements Failpoints {
  readonly #actions = new Map<FailpointName, () => void>();

  arm(name: FailpointName, action: () => void): void {
    this.#actions.set(name, action);
  }

  disarm(name: FailpointName): void {
    this.#actions.delete(name);
  }

  hit(name: FailpointName): void {
    this.#actions.get(name)?.();
  }
}
