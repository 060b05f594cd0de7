const keyForm = /itemtape_(live|pat)_/i;

/**
 * Reads the request out of the page's fields. Empty fields are not sent. `fault`: why it must not be sent at all, such as a key in a
 * field, which would appear in addresses and logs.
 * @param {HTMLFormElement} form
 */
export function requestOf(form) {
  const { method = "GET", path = "" } = form.dataset;
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  let address = path;
  /** @type {string | null} */
  let body = null;
  for (const field of form.elements) {
    const { name, value, dataset } = /** @type {HTMLInputElement} */ (field);
    if (dataset.in === "body") body = value;
    else if (dataset.in === "path") address = address.replace(`{${name}}`, encodeURIComponent(value.trim()));
    else if (value === "" || dataset.in === undefined) continue;
    else if (dataset.in === "header") headers[name] = value;
    else query.set(name, value);
  }
  if (query.size > 0) address = `${address}?${query}`;
  const isKey = keyForm.test(JSON.stringify([decodeURIComponent(address), body, headers]));
  const fault = isKey ? "A field of the request holds an API key, which belongs into the key's own field only." : null;
  return { address, method, body, headers, fault };
}
