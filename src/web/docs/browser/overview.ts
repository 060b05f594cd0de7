// Redirects old addresses, from before each operation had a page: `/docs#/Catalog/listItems`.
lead();
window.addEventListener("hashchange", lead);

function lead() {
  const [, operationId] = /^#\/[^/]+\/([A-Za-z]+)$/.exec(location.hash) ?? [];
  if (operationId !== undefined) location.replace(`/docs/operations/${operationId}`);
}
