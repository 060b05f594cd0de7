import { byId } from "../../browser/dom.mjs";
import { shownDocument } from "./document.mjs";
import { referencePlugin } from "./plugin.mjs";
import { fetchBounded } from "./stream.mjs";

/** @typedef {(options: object) => unknown} Library */

const dark = matchMedia("(prefers-color-scheme: dark)");
const status = byId("status", HTMLElement);

followColours();
dark.addEventListener("change", followColours);
show().catch((error) => {
  status.textContent = `The reference cannot be shown: ${error}`;
});

async function show() {
  const answer = await fetch("/openapi.json");
  if (!answer.ok) throw new Error(`openapi.json: HTTP ${answer.status}`);
  const contract = await answer.json();
  const { SwaggerUIBundle: library } = /** @type {{ SwaggerUIBundle: Library }} */ (
    /** @type {unknown} */ (globalThis)
  );
  library({
    domNode: byId("reference", HTMLElement),
    spec: shownDocument(contract, location.origin),
    plugins: [referencePlugin],
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    queryConfigEnabled: false,
    /** @param {{ userFetch: unknown }} request */
    requestInterceptor: (request) => {
      request.userFetch = fetchBounded;
      return request;
    },
    onComplete: () => {
      status.textContent = "";
    },
  });
}

function followColours() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}
