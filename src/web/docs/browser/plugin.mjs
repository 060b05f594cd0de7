/** @import { Mapping, System } from "./types.mjs" */
import { isStream } from "./document.mjs";
import { samplesComponent } from "./samples.mjs";

/** Media type that lines of JSON are shown as: the library would take them for one JSON value. */
const plain = "text/plain";

/** @typedef {(name: string, ...rest: unknown[]) => unknown} PartOf */

/** @typedef {(schema: unknown, mediaType: string, ...rest: unknown[]) => unknown} SampleOf */

/**
 * Returns what this page adds to the library's own: samples above the answers of each operation, streams as lines, and a key that
 * is not shown, neither while it is typed nor later.
 * @param {System} system
 */
export function referencePlugin(system) {
  const { React, specSelectors } = system;
  const { createElement: make, Fragment } = React;
  const Samples = samplesComponent(system);
  /** @param {object} props */
  const KeyField = (props) => make("input", { ...props, type: "password", autoComplete: "off", spellCheck: false });
  // The same function each time: a field of another component would be created again at each key press.
  /** @type {(original: PartOf) => PartOf} */
  const partOf =
    (original) =>
    (name, ...rest) =>
      name === "Input" ? KeyField : original(name, ...rest);
  return {
    wrapComponents: {
      /** @param {unknown} Original */
      responses: (Original) => (/** @type {{ path: string, method: string }} */ props) => {
        const operationId = specSelectors.specJson().getIn(["paths", props.path, props.method, "operationId"]);
        return make(Fragment, null, make(Samples, { operationId }), make(Original, props));
      },
      /** @param {unknown} Original */
      HttpAuth: (Original) => (/** @type {{ getComponent: PartOf }} */ props) =>
        make(Original, { ...props, getComponent: partOf(props.getComponent) }),
      /** @param {unknown} Original */
      curl: (Original) => (/** @type {{ request: Mapping }} */ props) =>
        make(Original, { ...props, request: withoutKey(props.request) }),
      /** @param {unknown} Original */
      responseBody: (Original) => (/** @type {{ contentType: string, content: string }} */ props) => {
        if (!isStream(props.contentType)) return make(Original, props);
        return make(
          "div",
          null,
          make("h5", null, "Response body"),
          make("pre", { className: "microlight" }, props.content),
        );
      },
    },
    /** @this {{ fn: { getSampleSchema: SampleOf } }} */
    afterLoad() {
      const sampleOf = this.fn.getSampleSchema;
      this.fn.getSampleSchema = (schema, mediaType, ...rest) =>
        sampleOf(schema, isStream(mediaType) ? plain : mediaType, ...rest);
    },
  };
}

/** @param {Mapping} request */
function withoutKey(request) {
  const path = ["headers", "Authorization"];
  return request.getIn(path) === undefined ? request : request.setIn(path, "Bearer <your key>");
}
