/** Sender of a changed value. A record of a stream is read more strictly than other responses. */
export type Side = "request" | "response" | "stream";

const requests: readonly Side[] = ["request"];
const responses: readonly Side[] = ["response", "stream"];
const all: readonly Side[] = [...requests, ...responses];

/** Sides on which each kind breaks clients by itself. Other kinds break none. */
export const breakingSides: Readonly<Record<string, readonly Side[]>> = {
  "a listed value goes": requests,
  "a listed value is added": responses,
  "a list of values opens": responses,
  "an open list closes": requests,
  "a maximum falls": requests,
  "a maximum rises": responses,
  "a maximum goes": responses,
  "a minimum rises": requests,
  "a minimum falls": responses,
  "a longest text is shorter": requests,
  "a longest text is longer": responses,
  "a shortest text is longer": requests,
  "a longest list is shorter": requests,
  "a longest list is longer": responses,
  "a shortest list is longer": requests,
  "a key goes": all,
  "an optional key is added": ["stream"],
  "a required key is added": ["request", "stream"],
  "a key has another name": all,
  "a key becomes optional": responses,
  "a key becomes required": requests,
  "null comes": responses,
  "null goes": requests,
  "an integer becomes a number": responses,
  "an integer becomes a text": all,
  "a text becomes an integer": all,
  "a pattern is added": requests,
  "a pattern goes": responses,
  "a constant differs": all,
  "an object opens": ["stream"],
  "a form is added": responses,
  "a form goes": requests,
  "a default differs": requests,
  "a list is unique": requests,
  "a parameter goes": requests,
  "a required parameter is added": requests,
  "a parameter has another name": requests,
  "a parameter becomes required": requests,
  "an operation goes": requests,
  "an operation has another path": requests,
  "an operation has another method": requests,
  "success has another status": responses,
  "a header of answers goes": responses,
  "a header of answers becomes optional": responses,
  "a header of answers is text": responses,
  "an answer has another media type": responses,
  "a larger plan is required": requests,
  "a request costs more": requests,
  "another scope is required": requests,
  "a body becomes required": requests,
  "a credential is wanted": requests,
};

/** Kinds that change nothing for clients. */
export const idleKinds: readonly string[] = [
  "a description differs",
  "the keys have another order",
  "the parameters have another order",
  "references are written out",
  "a schema moves into a component",
];
