const input = document.querySelector<HTMLInputElement>("#item");
const list = document.querySelector<HTMLDataListElement>("#items");
let asked = "";

/** Suggests items for the typed text, one request at a time. */
async function suggest(): Promise<void> {
  const text = input!.value.trim();
  if (text === asked || text.length < 2) return;
  asked = text;
  const answer = await fetch(`/dashboard/item-names?text=${encodeURIComponent(text)}`).catch(() => null);
  if (answer?.ok) {
    const names = (await answer.json()) as string[];
    list!.replaceChildren(...names.map((name) => new Option(name, name)));
  }
  if (input!.value.trim() !== text) await suggest();
}

let isRunning = false;
input?.addEventListener("input", async () => {
  if (isRunning) return;
  isRunning = true;
  await suggest();
  isRunning = false;
});
