import { parseLongRunOrExit } from "../../scripts/support/flags.ts";
import { progressOn } from "../../src/values/progress.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { type CopiesReport, copiesRing } from "./copies-ring.ts";

/**
 * Plays a day of 288 publications with three clients that each hold a copy: `npm test -- --long copies`. Prints the costs for them and the
 * server. `--items`, `--publications`, `--share` (of the items that change each time) and `--seed` change the day. Exit code 1 after a
 * fault.
 */
const values = parseLongRunOrExit("copies", {
  items: { type: "string", default: "36000" },
  publications: { type: "string", default: "288" },
  share: { type: "string", default: "0.15" },
  seed: { type: "string", default: "1" },
});

const [items, publications, share, seed] = [values.items, values.publications, values.share, values.seed].map(Number);
if (![items, publications, share, seed].every((value) => value! > 0)) {
  process.stderr.write("--items, --publications, --share and --seed: take numbers above 0\n");
  process.exit(64);
}
const options = { items: items!, publications: publications!, share: share!, seed: seed! };
const report = await copiesRing(options, progressOn(process.stderr, systemClock));
process.stdout.write(`${textOf(report)}\n`);
for (const fault of report.faults) process.stdout.write(`FAULT ${fault}\n`);
process.exitCode = report.faults.length === 0 ? 0 : 1;

function textOf({ clients, cpuUs, changed, publications: published }: CopiesReport): string {
  const of = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  const seconds = (us: number) => `${(us / 1e6).toFixed(1)} s`;
  const lines = Object.entries(clients).map(([name, { looks, exports, requests, bytes, cpuUs: own, byExports }]) => {
    const cells = [
      name.padEnd(8),
      String(looks).padStart(6),
      String(exports).padStart(8),
      String(requests).padStart(9),
      `${(bytes / 1e6).toFixed(1)} MB`.padStart(11),
      of(bytes, byExports.bytes).padStart(9),
      seconds(own).padStart(9),
      of(own, byExports.cpuUs).padStart(9),
    ];
    return cells.join("");
  });
  const looks = Object.values(clients).reduce((sum, client) => sum + client.looks, 0);
  const each = changed / Math.max(1, published - 1);
  return [
    `${published} publications of ${items} items, ${each.toFixed(0)} changed in each; digests compared at ${looks} looks`,
    "client   looks exports  requests       bytes of exports   processor of exports",
    ...lines,
    `server: ${seconds(cpuUs.server)} of processor; ${seconds(cpuUs.serverPerExport * looks)} for ${looks} exports`,
    `publishing: ${seconds(cpuUs.publications)} of processor`,
  ].join("\n");
}
