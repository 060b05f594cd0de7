import { Counter, Gauge, type Registry } from "prom-client";

/** Adds a gauge that is looked at when the metrics are read. */
export type NewGauge = (name: string, help: string, value: () => number | null) => void;

/** Returns a function that adds a gauge; one whose value is null when it is read has no line. */
export function gaugesOf(registry: Registry): NewGauge {
  return (name, help, value) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const found = value();
        if (found === null) this.remove();
        else this.set(found);
      },
    });
  };
}

/** Adds a counter of one label whose values are kept elsewhere. */
export function counted(
  registry: Registry,
  { name, help, label, values }: { name: string; help: string; label: string; values: () => [string, number][] },
): void {
  const counter = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [of, value] of values()) counter.inc({ [label]: of }, value);
    },
  });
}
