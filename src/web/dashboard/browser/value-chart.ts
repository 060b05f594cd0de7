import { byId } from "./dom.ts";
import { ValuePlot } from "./value-plot.ts";
import { daysOf, sentenceOf } from "./values.ts";

const chart = byId("chart", HTMLElement);
const host = byId("plot", HTMLElement);
const reading = byId("reading", HTMLElement);
const days = daysOf(byId("values", HTMLTableElement), Number(chart.dataset.from), Number(chart.dataset.to));
let index = days.findLastIndex(({ isRecorded }) => isRecorded);

chart.hidden = false;
const plot = new ValuePlot(host, days, read);
read(index);
new ResizeObserver(() => plot.fit()).observe(host);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => plot.recolour());
host.addEventListener("keydown", (event) => {
  const target = targetOf(event.key);
  if (target === null) return;
  event.preventDefault();
  plot.moveToDay(Math.min(days.length - 1, Math.max(0, target)));
});

function read(dayIndex: number) {
  const day = days[dayIndex];
  if (day === undefined) return;
  index = dayIndex;
  reading.textContent = sentenceOf(day);
}

function targetOf(key: string): number | null {
  switch (key) {
    case "ArrowLeft":
      return index - 1;
    case "ArrowRight":
      return index + 1;
    case "PageUp":
      return index - 7;
    case "PageDown":
      return index + 7;
    case "Home":
      return 0;
    case "End":
      return days.length - 1;
    default:
      return null;
  }
}
