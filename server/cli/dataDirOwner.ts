import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "./command.ts";

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** True if the effective user can pass the folders above. */
const isReachable = (folder: string): boolean => {
  try {
    statSync(folder);
    return true;
  } catch {
    return false;
  }
};

const become = (ids: { readonly uid: number; readonly gid: number; readonly groups: number[] }): void => {
  // Only root may change groups: first when it leaves, last when it returns.
  if (ids.uid === 0) process.seteuid?.(0);
  process.setgroups?.(ids.groups);
  process.setegid?.(ids.gid);
  if (ids.uid !== 0) process.seteuid?.(ids.uid);
};

const refuseLinks = (dataDir: string): void => {
  for (const entry of readdirSync(dataDir, { withFileTypes: true }))
    if (entry.isSymbolicLink())
      throw new CommandError(
        `${join(dataDir, entry.name)} is a link, which root does not follow. Remove it.`,
      );
};

/**
 * Runs work on a data folder; root becomes its owner meanwhile, because the owner may have put links into it that lead
 * to files of others, and must be able to read and change what is written. Where the owner cannot pass the folders
 * above, as with systemd's `DynamicUser`, SQLite could not open its file: root stays root there, and refuses links.
 * No other work may run meanwhile.
 */
export const asOwnerOf = async <A>(dataDir: string, work: () => Promise<A>): Promise<A> => {
  if (process.geteuid?.() !== 0 || !isFolder(dataDir)) return work();
  const root = { uid: 0, gid: process.getegid?.() ?? 0, groups: process.getgroups?.() ?? [] };
  const place = process.cwd();
  process.chdir(dataDir);
  try {
    const { uid, gid } = statSync(".");
    if (uid === 0) return await work();
    become({ uid, gid, groups: [gid] });
    if (isReachable(dataDir)) return await work();
    // The server writes there before an update.
    if (!existsSync("backups")) mkdirSync("backups", { mode: 0o700 });
    become(root);
    refuseLinks(dataDir);
    return await work();
  } finally {
    become(root);
    process.chdir(place);
  }
};
