const sent = new WeakSet();

// A second click while the first is on its way would make a second key.
document.addEventListener("submit", (event) => {
  if (event.target === null || event.defaultPrevented) return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
});
addEventListener("pageshow", () => {
  for (const form of document.forms) sent.delete(form);
});
