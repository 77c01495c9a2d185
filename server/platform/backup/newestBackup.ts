import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Returns when the newest backup of a folder was written, in milliseconds since 1970; null without one. */
export const newestBackupAt = async (folder: string): Promise<number | null> => {
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    names
      .filter((name) => /\.gz(?:\.pgp)?$/.test(name))
      // One may have been deleted meanwhile.
      .map((name) =>
        stat(join(folder, name)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
  );
  return times.some((time) => time > 0) ? Math.max(...times) : null;
};
