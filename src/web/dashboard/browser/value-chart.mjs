import { byId } from "./dom.mjs";
import { ValuePlot } from "./value-plot.mjs";
import { daysOf, sentenceOf } from "./values.mjs";

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

/** @param {number} dayIndex */
function read(dayIndex) {
  const day = days[dayIndex];
  if (day === undefined) return;
  index = dayIndex;
  reading.textContent = sentenceOf(day);
}

/** @param {string} key @returns {number | null} */
function targetOf(key) {
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
