/**
 * Splits the first plot into equal slots, inside the page. Returns for each slot whether a line in the series' colour is drawn late in it.
 * Ignores the letter at the end of a line.
 */
export const inkBySlot = (slots: number, series = 1): string => `(() => {
  const canvas = document.querySelector("canvas");
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--series-${series}").trim();
  probe.fillRect(0, 0, 1, 1);
  const wanted = probe.getImageData(0, 0, 1, 1).data.join();
  const [box, frame] = [document.querySelector(".u-over").getBoundingClientRect(), canvas.getBoundingClientRect()];
  const scale = canvas.width / frame.width;
  return Array.from({ length: ${slots} }, (_, slot) => {
    const x = Math.round((box.left - frame.left + ((slot + 0.85) * box.width) / ${slots}) * scale);
    const { data } = canvas.getContext("2d").getImageData(x, (box.top - frame.top) * scale, 1, box.height * scale);
    return Array.from({ length: data.length / 4 }, (_, at) => data.slice(at * 4, at * 4 + 4).join()).includes(wanted);
  });
})()`;
