/** The used part of the package, which has no types. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: { "accept-encoding": string } });
    /** The best of `available`, given in order of preference. Undefined if the client accepts none of them. */
    encoding<Coding extends string>(
      available: readonly Coding[],
      options?: { preferred?: readonly Coding[] },
    ): Coding | undefined;
  }
}
