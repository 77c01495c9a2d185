import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The folder in which the program keeps what it knows between two commands. */
export const stateFolder = (): string => {
  const { XDG_STATE_HOME = "", APPDATA = "" } = process.env;
  if (isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, "bauta-cli");
  if (process.platform === "win32")
    return join(APPDATA || join(homedir(), "AppData", "Roaming"), "bauta-cli");
  return join(homedir(), ".local", "state", "bauta-cli");
};

/** The part of it that belongs to one server. */
export const serverFolder = (server: string): string =>
  join(stateFolder(), "servers", encodeURIComponent(server));
