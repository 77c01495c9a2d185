import { BadSetting } from "./setting.ts";

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
};

/** A reason without the words of the outside, which may quote a password; what has no code is ours or the library's. */
const reasonOf = (error: unknown): string => {
  const code = codeOf(error);
  const isSpoken = code === "unknown reason" || code === "ERR_SQLITE_ERROR";
  return isSpoken && error instanceof Error ? (error.message.split("\n")[0] ?? code) : code;
};

/** A listener's address by the variables it came from. */
export interface ListenerSettings {
  readonly portVariable: string;
  readonly port: number;
  readonly hostVariable: string;
  readonly host: string;
}

const portTrouble: Readonly<Record<string, string>> = {
  EADDRINUSE: "a port on which no other program listens",
  EACCES: "a port that this process may open; below 1024 it needs CAP_NET_BIND_SERVICE",
};

const hostTrouble = new Set(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EINVAL", "EAFNOSUPPORT"]);

/** Listens; throws `BadSetting` when the address cannot be had. */
export const listening = async (
  settings: ListenerSettings,
  listen: () => Promise<unknown>,
): Promise<void> => {
  const { portVariable, port, hostVariable, host } = settings;
  try {
    await listen();
  } catch (error) {
    const code = codeOf(error);
    const wanted = portTrouble[code];
    if (wanted) throw new BadSetting(`${portVariable} is ${port}; it wants ${wanted} (${code} at ${host}).`);
    if (hostTrouble.has(code))
      throw new BadSetting(`${hostVariable} is "${host}"; it wants an address of this machine (${code}).`);
    throw error;
  }
};

/** Does what a variable's value is needed for; `BadSetting` with the sentence and the reason when it fails. */
export const usable = async <A>(sentence: string, work: () => A | Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadSetting) throw error;
    throw new BadSetting(`${sentence} (${reasonOf(error)}).`);
  }
};
