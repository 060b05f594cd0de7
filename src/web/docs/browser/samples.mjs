/** Lets the samples be copied, with the address of the server that this page was reached at. */
export function showSamples() {
  const served = `http://${location.host}`;
  for (const sample of document.querySelectorAll(".sample")) {
    const code = /** @type {HTMLElement} */ (sample.querySelector("code"));
    const button = /** @type {HTMLButtonElement} */ (sample.querySelector("button"));
    if (served !== location.origin) code.textContent = (code.textContent ?? "").replaceAll(served, location.origin);
    button.hidden = !("clipboard" in navigator);
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(code.textContent ?? "").then(() => {
        button.textContent = "Copied";
      });
    });
  }
}
