import { render } from "lit-html";

/**
 * Makes an element with attributes and children. Text is never parsed as HTML.
 * @param attributes A function becomes a listener for the event with its name.
 */
export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Record<string, string | boolean | ((event: never) => void)> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value as EventListener);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Makes an SVG element. */
export function shape(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Returns the element of the page with this id. */
export function byId<E extends HTMLElement>(id: string, type: new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
}

/** Replaces the content of the element with this id. `content` is a template, a text or a list of both. */
export function fill(id: string, content: unknown): void {
  render(content, byId(id, HTMLElement));
}
