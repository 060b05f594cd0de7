import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, rmSync, statfsSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "mocha";
import { temporaryFolder } from "./files.ts";
import { skip, skipForWant } from "./skip.ts";

/** A file system in memory of a few megabytes, which a test can fill. */
export class SmallDisk {
  readonly folder = temporaryFolder();

  /** Mounts it. Skips the test if mounting is not allowed. */
  static mount(test: Context, bytes: number): SmallDisk {
    const disk = new SmallDisk();
    const { status, error } = disk.#mount(bytes);
    if (error !== undefined) skipForWant(test, "mount is not installed");
    if (status !== 0) skip(test, "this process may not mount a file system");
    return disk;
  }

  /** Mounts it. Returns null if mounting is not allowed. */
  static tryMount(bytes: number): SmallDisk | null {
    const disk = new SmallDisk();
    return disk.#mount(bytes).status === 0 ? disk : null;
  }

  #mount(bytes: number): ReturnType<typeof spawnSync> {
    return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=700`, "itemtape-test", this.folder]);
  }

  /** Bytes that are free. */
  get free(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Fills the disk up to `bytes` free bytes. Replaces an earlier fill. */
  fill(bytes: number): void {
    const path = join(this.folder, "filler");
    const taken = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const more = this.free - bytes;
    if (more > 0) appendFileSync(path, Buffer.alloc(more));
    else if (taken > 0) truncateSync(path, Math.max(0, taken + more));
  }

  /** Releases the space of `fill`. */
  clear(): void {
    rmSync(join(this.folder, "filler"), { force: true });
  }

  /** Makes the disk refuse writes, as a kernel does after an error. */
  freeze(): void {
    execFileSync("mount", ["-o", "remount,ro", this.folder]);
  }

  unmount(): void {
    execFileSync("umount", ["-l", this.folder]);
  }
}
