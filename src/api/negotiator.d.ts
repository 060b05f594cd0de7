/** The used part of the package, which brings no types. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: { "accept-encoding": string } });
    /** The best of `available`, which stand in order of preference; undefined where none is acceptable. */
    encoding<Coding extends string>(
      available: readonly Coding[],
      options?: { preferred?: readonly Coding[] },
    ): Coding | undefined;
  }
}
