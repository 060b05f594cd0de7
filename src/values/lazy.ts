/** Returns a function that makes something at its first call and returns the same at each later one. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
