/** JSON text that was encoded when it was stored. The envelope passes it on as `data` untouched. */
export class Encoded {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Marks `json` as the finished text of one JSON value. The caller vouches for it. */
export function encoded(json: string): Encoded {
  return new Encoded(json);
}
