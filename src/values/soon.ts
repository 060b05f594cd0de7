/** A value that is there, or that comes: a store in the same process answers at once, one behind a connection does not. */
export type Soon<T> = T | Promise<T>;

/** Hands the value to `next` as soon as it is there: at once where it is, so that nothing waits that need not. */
export function whenReady<T, U>(value: Soon<T>, next: (value: T) => U): Soon<Awaited<U>> {
  return (value instanceof Promise ? value.then(next) : next(value)) as Soon<Awaited<U>>;
}

/** Returns all values as soon as the last is there: at once where each is. */
export function allReady<T>(values: readonly Soon<T>[]): Soon<T[]> {
  const there: T[] = [];
  for (const value of values) {
    if (value instanceof Promise) return Promise.all(values);
    there.push(value);
  }
  return there;
}
