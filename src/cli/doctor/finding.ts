export type Status = "ok" | "warning" | "failed";

/** The result of one check. `fix`: what to do; null: nothing. */
export type Finding = { check: string; status: Status; found: string; fix: string | null };

/** Makes the finding of a check that looked and found all well. */
export function ok(check: string, found: string): Finding {
  return { check, status: "ok", found, fix: null };
}

/** Makes the finding of something that works and should not stay so, with what to do. */
export function warning(check: string, found: string, fix: string): Finding {
  return { check, status: "warning", found, fix };
}

/** Makes the finding of something that does not work, with what to do. */
export function failed(check: string, found: string, fix: string): Finding {
  return { check, status: "failed", found, fix };
}

/** Makes the finding of an error whose message ends with its fix, behind a semicolon, or that means that this user has no right. */
export function failedBy(check: string, error: unknown): Finding {
  const { code, message = String(error) } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === "EACCES" || code === "EPERM")
    return failed(check, message, "run it as the user that the server runs as");
  const cut = message.lastIndexOf("; ");
  if (cut === -1) return failed(check, message, "find out why, then run `itemtape doctor` again");
  return failed(check, message.slice(0, cut), message.slice(cut + 2));
}

/** Makes the finding of `look`, or of what it throws. */
export async function attempt(check: string, look: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return failedBy(check, error);
  }
}

/** Makes the finding of something that an earlier failure keeps from being looked at. */
export function notLookedAt(check: string, cause: string): Finding {
  return warning(check, `not looked at, because ${cause}`, "mend that first");
}

/** Formats bytes such as `15.3 MB`. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
