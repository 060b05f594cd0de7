export type Status = "ok" | "warning" | "failed";

/** The result of one check. `fix`: the recommended action, null without one. */
export type Finding = { check: string; status: Status; found: string; fix: string | null };

/** Builds the finding of a check without faults. */
export function ok(check: string, found: string): Finding {
  return { check, status: "ok", found, fix: null };
}

/** Builds the finding of a fault that is tolerable for now, with a fix. */
export function warning(check: string, found: string, fix: string): Finding {
  return { check, status: "warning", found, fix };
}

/** Builds the finding of a failure, with a fix. */
export function failed(check: string, found: string, fix: string): Finding {
  return { check, status: "failed", found, fix };
}

/** Builds the finding for an error. Its fix follows a semicolon in the error's message, or is about this user's missing permission. */
export function failedBy(check: string, error: unknown): Finding {
  const { code, message = String(error) } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === "EACCES" || code === "EPERM") return failed(check, message, "run it as the server's user");
  const cut = message.lastIndexOf("; ");
  if (cut === -1) return failed(check, message, "find out why, then run `npx itemtape doctor` again");
  return failed(check, message.slice(0, cut), message.slice(cut + 2));
}

/** Returns the finding of `look`, or one for its error. */
export async function attempt(check: string, look: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return failedBy(check, error);
  }
}

/** Builds the finding of a check that could not run after an earlier failure. */
export function notRun(check: string, cause: string): Finding {
  return warning(check, `not checked, because ${cause}`, "fix that first");
}

/** Formats bytes such as `15.3 MB`. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
