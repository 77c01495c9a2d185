import { errorCode } from "../errors/errorCode.ts";
/** The part of `node:dns` that the checks need. */
export interface DnsResolver {
  readonly resolve4: (name: string) => Promise<string[]>;
  readonly resolve6: (name: string) => Promise<string[]>;
  readonly resolveMx: (name: string) => Promise<{ readonly exchange: string; readonly priority: number }[]>;
  readonly resolveTxt: (name: string) => Promise<string[][]>;
  readonly reverse: (address: string) => Promise<string[]>;
}

const absent = new Set(["ENOTFOUND", "ENODATA", "NXDOMAIN"]);

/** Returns what DNS has; empty when there is nothing, null when DNS does not answer. */
export const lookUp = async (work: Promise<string[]>): Promise<readonly string[] | null> => {
  try {
    return await work;
  } catch (error) {
    const code = errorCode(error);
    return absent.has(code) ? [] : null;
  }
};

/** Returns the texts of the TXT records of a name. */
export const texts = async (dns: DnsResolver, name: string): Promise<string[]> =>
  (await dns.resolveTxt(name)).map((strings) => strings.join(""));

/** The part of `node:dns` that tells whether a host has a name. */
export interface NameResolver {
  readonly resolve4: (name: string) => Promise<string[]>;
  readonly resolve6: (name: string) => Promise<string[]>;
  readonly resolveCname: (name: string) => Promise<string[]>;
  readonly resolveNs: (name: string) => Promise<string[]>;
  readonly resolveMx: (name: string) => Promise<{ readonly exchange: string }[]>;
}
