import { holdLock } from "../store/file/lock.ts";
import { StoreRefusal } from "../store/file/refusal.ts";

/** Acquires a lock like `holdLock`. Returns null if another process holds it. */
export function tryLock(...[path, purpose]: Parameters<typeof holdLock>): ReturnType<typeof holdLock> | null {
  try {
    return holdLock(path, purpose);
  } catch (error) {
    if (error instanceof StoreRefusal && error.kind === "in_use") return null;
    throw error;
  }
}
