import { componentNames, componentsInPlace, refSiblings } from "./components.ts";
import { readingOrder, yaml } from "./layout.ts";
import { changelog, conditional, extensions, parameterExample } from "./operations.ts";
import { bounds, constants, described, nullable, objects, openLists, union } from "./schemas.ts";

/** Rules for this document that Redocly does not have. `.redocly.yaml` enables them, and contains simpler rules without code. */
export default function plugin() {
  return {
    id: "itemtape",
    rules: {
      oas3: {
        described,
        bounds,
        objects,
        nullable,
        union,
        const: constants,
        "open-lists": openLists,
        "components-in-place": componentsInPlace,
        "component-names": componentNames,
        "ref-siblings": refSiblings,
        "parameter-example": parameterExample,
        extensions,
        conditional,
        changelog,
        "reading-order": readingOrder,
        yaml,
      },
    },
  };
}
