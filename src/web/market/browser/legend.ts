import type { Chart, Series } from "./types.ts";
// What stands below the chart, apart from what is drawn.

import { dollars } from "../../../values/money/money-text.ts";
import { byId, element } from "../../browser/dom.ts";
import { percentText } from "./changes.ts";
import { baseOf } from "./scale.ts";

/** The lines of the chart by name, with their last price. A press hides a line or shows it again; one of a compared item is taken away. */
export class Legend {
  #root = byId("legend", HTMLElement);

  show(
    { series }: Chart,
    {
      isShown,
      isCompared,
      isPercent,
      onToggle,
    }: { isShown: (key: string) => boolean; isCompared: boolean; isPercent: boolean; onToggle: (key: string) => void },
  ) {
    const keys = [...new Set(series.map(({ key }) => key))];
    this.#root.replaceChildren(
      ...keys.map((key, number) => {
        const own = series.filter((one) => one.key === key);
        const [first] = own;
        const isMain = isCompared && number === 0;
        const attributes = isCompared ? { disabled: isMain } : { "aria-pressed": String(isShown(key)) };
        return element(
          "button",
          {
            type: "button",
            class: `line series-${first?.colour}`,
            "data-line": key,
            ...attributes,
            click: () => onToggle(key),
          },
          element("span", { class: "chip" }, first?.letter ?? ""),
          first?.name ?? key,
          // The last prices of providers stand in the table beside the chart.
          ...(isCompared || isPercent
            ? own.map((one) => element("span", { class: "last" }, lastText(one, isPercent)))
            : []),
          ...(isCompared && !isMain
            ? [element("span", { class: "muted" }, " ×", element("span", { class: "hidden" }, " take away"))]
            : []),
        );
      }),
    );
  }

  clear() {
    this.#root.replaceChildren();
  }
}

function lastText(series: Series, isPercent: boolean) {
  const amount = series.points.findLast(({ row }) => row !== null && row.amount !== null)?.row?.amount ?? null;
  const base = baseOf(series);
  if (amount === null) return `no ${series.side}`;
  return `${series.side} ${isPercent && base !== null ? percentText(base, amount) : dollars(amount)}`;
}
