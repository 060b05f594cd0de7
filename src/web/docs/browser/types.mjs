/**
 * The part of the reference's library that this page uses.
 * @typedef {object} Element
 */

/**
 * @typedef {object} Mapping
 * @property {(path: readonly string[]) => any} getIn
 * @property {(path: readonly string[], value: unknown) => Mapping} setIn
 * @property {(name: string) => any} get
 */

/** @typedef {(type: unknown, props: object | null, ...children: unknown[]) => Element} Make */

/**
 * @typedef {object} React
 * @property {Make} createElement
 * @property {unknown} Fragment
 * @property {<T>(first: T) => [T, (next: T) => void]} useState
 * @property {(effect: () => () => void, inputs: readonly unknown[]) => void} useEffect
 */

/**
 * @typedef {object} System
 * @property {React} React
 * @property {{ specJson: () => Mapping }} specSelectors
 */

export {};
