const sent = new WeakSet<EventTarget>();

// Prevents a second click from sending the form twice.
document.addEventListener("submit", (event) => {
  if (event.target === null || event.defaultPrevented) return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
});
addEventListener("pageshow", () => {
  for (const form of document.forms) sent.delete(form);
});
