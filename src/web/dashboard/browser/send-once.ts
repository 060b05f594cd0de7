const sent = new WeakSet<EventTarget>();

// A second click while the first is under way would make a second key.
document.addEventListener("submit", (event) => {
  if (event.target === null || event.defaultPrevented) return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
});
addEventListener("pageshow", () => {
  for (const form of document.forms) sent.delete(form);
});
