import { expect } from "chai";
import { parse } from "yaml";
import { guideFile, guideFolder, readGuides } from "../support/guides.ts";
import { useWorld } from "../support/world.ts";
import type { Family, Sample } from "./exposition.ts";
import { metricsOf } from "./traffic.ts";

type Rule = { alert: string; expr: string; for?: string; annotations: { summary: string } };

const guide = readGuides().find(({ path }) => path === `${guideFolder}/monitoring.md`)?.text ?? "";
/** Words of Prometheus' query language that the rules use. */
const keywords = new Set(["increase", "rate", "sum", "by", "histogram_quantile", "absent", "or", "le"]);

describe("monitoring files", () => {
  const world = useWorld({ fewItems: true, config: { opsPort: 0 } });
  let metrics: ReadonlyMap<string, Family>;
  let samples: Map<string, Sample[]>;

  before(async () => {
    await world.client.call("getStatus");
    metrics = await metricsOf(world);
    samples = new Map();
    for (const sample of [...metrics.values()].flatMap((family) => family.samples)) {
      samples.set(sample.name, [...(samples.get(sample.name) ?? []), sample]);
    }
  });

  it("name only existing metrics, labels and label values in alert rules", () => {
    const rules = readRules();
    expect(rules.length).to.be.greaterThan(10);
    expect(new Set(rules.map(({ alert }) => alert)).size).to.equal(rules.length);
    for (const { alert, expr, annotations } of rules) {
      const used = namesIn(expr);
      expect(used, alert).to.not.be.empty;
      for (const { name, matchers } of used) {
        if (name === "up") continue;
        // Metrics of nodes with a private database are absent here.
        expect(samples.has(name) || metrics.has(name), `${alert}: ${name}`).to.equal(true);
        for (const [label, values] of matchers) {
          const known = samples.get(name)?.map(({ labels }) => labels[label]);
          expect(known, `${alert}: ${name}{${label}}`).to.include.members(values);
        }
        if (/\bby \(le\)/.test(expr)) expect(samples.get(name)?.[0]?.labels, alert).to.have.property("le");
      }
      for (const [, label = ""] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) {
        if (label === "instance") continue;
        const [{ name } = { name: "" }] = used;
        expect(samples.get(name)?.[0]?.labels, `${alert}: $labels.${label}`).to.have.property(label);
      }
    }
  });

  it("name only existing metrics, labels and label values in the dashboard", () => {
    const panels = readDashboard();
    const exprs = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(exprs.length).to.be.greaterThan(15);
    for (const expr of exprs) {
      const groups = Array.from(expr.matchAll(/\bby \(([^)]*)\)/g), ([, labels = ""]) => labels.split(", ")).flat();
      const used = namesIn(expr.replaceAll(/\bby \([^)]*\)/g, ""));
      expect(used, expr).to.have.length(1);
      const [{ name } = { name: "" }] = used;
      expect(name === "up" || samples.has(name) || metrics.has(name), expr).to.equal(true);
      for (const label of groups)
        if (label !== "instance") expect(samples.get(name)?.[0]?.labels, `${expr}: ${label}`).to.have.property(label);
    }
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
  });

  it("list exactly the server's metrics and labels in the table", () => {
    const [, section = ""] = guide.split("## Metrics\n");
    const rows = Array.from(
      section.matchAll(/`((?:itemtape|process)_\w+)`(?:\s+\(((?:`\w+`(?:, )?)+)\))?/g),
      ([, name, labels = ""]) => [name, Array.from(labels.matchAll(/`(\w+)`/g), ([, label]) => label).sort()],
    );
    const shown = [...metrics.values()].map(({ name, samples: own }) => {
      const labels = new Set(own.flatMap((sample) => Object.keys(sample.labels)).filter((label) => label !== "le"));
      return [name, [...labels].sort()];
    });
    expect(Object.fromEntries(rows)).to.deep.equal(Object.fromEntries(shown));
    expect(rows.length).to.equal(shown.length);
  });
});

function readRules(): Rule[] {
  const { groups } = parse(guideFile("alerts.yaml")) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

function readDashboard(): { id: number; targets: { expr: string }[] }[] {
  return JSON.parse(guideFile("dashboard.json")).panels;
}

/**
 * Returns the metrics of a query with the values that each label is compared with.
 * @throws {Error} when a word is neither a metric nor known.
 */
function namesIn(expr: string): { name: string; matchers: [label: string, values: string[]][] }[] {
  const selectors = /([a-z_]+)(?:\{([^}]*)\})?/g;
  const bare = expr.replaceAll(/\[\d+[smhd]\]/g, "").replaceAll(/\b\d[\d.e]*\b/g, "");
  return Array.from(bare.matchAll(selectors), ([, name = "", matchers = ""]) => ({
    name,
    matchers: Array.from(matchers.matchAll(/(\w+)=~?"([^"]*)"/g), ([, label = "", values = ""]): [string, string[]] => [
      label,
      values.split("|"),
    ]),
  })).filter(({ name }) => {
    if (/^(itemtape|process)_/.test(name) || name === "up") return true;
    if (!keywords.has(name)) throw new Error(`${expr}: what is ${name}?`);
    return false;
  });
}
