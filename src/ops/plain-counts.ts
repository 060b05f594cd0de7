import { Counter, type Histogram, type Registry } from "prom-client";

/**
 * Counts by two labels in plain maps and hands them to the library when they are read: counting there costs ten times as much, and
 * this is on the way of every request.
 */
export class PlainCounter {
  readonly #counts = new Map<string, Map<string | number, number>>();

  constructor(registry: Registry, name: string, help: string, labels: readonly [string, string]) {
    const counts = this.#counts;
    const [first, second] = labels;
    new Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect() {
        this.reset();
        for (const [one, others] of counts) {
          for (const [other, count] of others) this.inc({ [first]: one, [second]: other }, count);
        }
      },
    });
  }

  inc(one: string, other: string | number): void {
    let others = this.#counts.get(one);
    if (others === undefined) {
      others = new Map();
      this.#counts.set(one, others);
    }
    others.set(other, (others.get(other) ?? 0) + 1);
  }
}

type Series = { readonly counts: number[]; sum: number; count: number };
type Value = { metricName: string; labels: Record<string, string | number>; value: number };

/** A histogram of one label, kept in plain numbers for the same reason. The registry reads it as it reads one of the library. */
export class PlainHistogram {
  readonly name: string;
  readonly #help: string;
  readonly #label: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  /** `bounds`: the upper bounds of the buckets, ascending. */
  constructor(registry: Registry, name: string, help: string, label: string, bounds: readonly number[]) {
    this.name = name;
    this.#help = help;
    this.#label = label;
    this.#bounds = bounds;
    registry.registerMetric(this as unknown as Histogram);
  }

  observe(label: string, value: number): void {
    let series = this.#series.get(label);
    if (series === undefined) {
      series = { counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#series.set(label, series);
    }
    series.sum += value;
    series.count += 1;
    const bounds = this.#bounds;
    for (let index = 0; index < bounds.length; index += 1) {
      if (value <= (bounds[index] as number)) {
        series.counts[index] = (series.counts[index] as number) + 1;
        return;
      }
    }
  }

  /** Returns what the registry prints. */
  async get(): Promise<{ name: string; help: string; type: string; values: Value[] }> {
    const values = [...this.#series].flatMap(([of, series]) => this.#valuesOf({ [this.#label]: of }, series));
    return { name: this.name, help: this.#help, type: "histogram", values };
  }

  #valuesOf(labels: Record<string, string>, { counts, sum, count }: Series): Value[] {
    let below = 0;
    const buckets = this.#bounds.map((bound, index) => {
      below += counts[index] as number;
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le: bound }, value: below };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count },
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}
