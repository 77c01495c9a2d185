import type { Clock } from "../../../core/ports/clock.ts";
import { type AskDns, DnsError } from "./dnsClient.ts";
import { isRecordType, type RecordData, type RecordType } from "./dnsMessage.ts";

/**
 * Bytes of the longest record that is used: a key of 4,096 bits has 750, and an SPF record that fits a packet 450. The
 * libraries that read records take quadratic time for some.
 */
const maxTextBytes = 4_096;
/** Bytes of all records of a name that are used. */
const maxBytesOfName = 32_768;

const bytesOf = (record: RecordData): number =>
  [record]
    .flat()
    .reduce((sum: number, text) => sum + (typeof text === "string" ? Buffer.byteLength(text) : 0), 0);

/** Returns the TXT records of a name without those that are too long, which count as missing. */
const withoutLongTexts = (records: readonly RecordData[]): readonly RecordData[] => {
  let left = maxBytesOfName;
  return records.filter((record) => {
    const bytes = bytesOf(record);
    left -= Math.min(bytes, maxTextBytes);
    return bytes <= maxTextBytes && left >= 0;
  });
};

/** The records of a name. */
export interface DnsRecords {
  readonly data: readonly RecordData[];
  /** True if DNSSEC protects them. */
  readonly isAuthentic: boolean;
  /** The name that has them, in lower case; absent where the queried name is no alias. */
  readonly target?: string | undefined;
}

/** Returns the records of a name; rejects with a `DnsError`, with code ENOTFOUND or ENODATA when there are none. */
export type LookUpDns = (name: string, type: RecordType) => Promise<DnsRecords>;

const secondMs = 1_000;

interface Entry {
  readonly answer: Promise<DnsRecords>;
  expiresAt: number;
}

/** Limits of the cache time, whatever the TTL is. */
const minPositiveMs = 30 * secondMs;
const maxPositiveMs = 3_600 * secondMs;
const minNegativeMs = 15 * secondMs;
const maxNegativeMs = 300 * secondMs;
/** Failures are cached briefly, so that an unresponsive server does not delay each mail of a burst. */
const failureMs = 5 * secondMs;
export const maxEntries = 20_000;

const within = (ms: number, min: number, max: number): number => Math.min(max, Math.max(min, ms));

/** Creates a DNS cache that respects TTLs, also of missing records, and joins equal concurrent queries. */
export const createDnsCache = (ask: AskDns, clock: Pick<Clock, "now">): LookUpDns => {
  const entries = new Map<string, Entry>();

  const query = async (name: string, type: RecordType, keep: (ms: number) => void): Promise<DnsRecords> => {
    try {
      const { code, data: all, ttl, isAuthentic, target } = await ask(name, type);
      const data = type === "TXT" ? withoutLongTexts(all) : all;
      if (code === 0 && data.length > 0) {
        keep(within(ttl * secondMs, minPositiveMs, maxPositiveMs));
        return { data, isAuthentic, target };
      }
      keep(within(ttl * secondMs, minNegativeMs, maxNegativeMs));
      throw new DnsError(code === 0 ? "ENODATA" : "ENOTFOUND", name);
    } catch (error) {
      if (!(error instanceof DnsError) || !["ENODATA", "ENOTFOUND"].includes(error.code)) keep(failureMs);
      throw error;
    }
  };

  return (name, type) => {
    const key = `${type} ${name.replace(/\.$/, "").toLowerCase()}`;
    const known = entries.get(key);
    if (known && known.expiresAt > clock.now()) return known.answer;
    if (entries.size >= maxEntries) entries.clear();
    const entry: Entry = {
      answer: query(name, type, (ms) => {
        entry.expiresAt = clock.now() + ms;
      }),
      expiresAt: Number.POSITIVE_INFINITY,
    };
    entry.answer.catch(() => {});
    entries.set(key, entry);
    return entry.answer;
  };
};

/** Resolves a DNS query of mailauth by name and record type. */
export type MailLookup = (name: string, type: string) => Promise<string[] | string[][]>;

/** SPF needs at most 10 queries and each signature one (RFC 7208, 4.6.4). */
const maxLookups = 100;
/** Walks up the tree: one for the author, ten for the domains that may be aligned, of eight names each (RFC 9989, 4.10). */
const maxPolicyLookups = 88;
const totalMs = 4_500;

/** Returns the same lists anew. */
export const copyOf = (data: string[] | string[][]): string[] | string[][] =>
  data.map((one) => (Array.isArray(one) ? [...one] : one)) as string[] | string[][];

const createBudget = (most: number, limitMs: number) => {
  let deadline: number | null = null;
  let count = 0;
  /** Returns the remaining time in milliseconds from the first call on; 0 when it or the number of calls is used up. */
  return (): number => {
    deadline ??= performance.now() + limitMs;
    count += 1;
    return count > most ? 0 : Math.max(0, deadline - performance.now());
  };
};

/**
 * Creates the lookup for one mail. Queries beyond the limits of time or number fail as timeouts, so that a
 * sender's slow name server delays a mail by at most `limitMs`. DMARC policies have limits of their own, which the
 * servers of other names cannot use up.
 */
export const createMailLookup = (lookUp: LookUpDns, limitMs = totalMs): MailLookup => {
  const forPolicies = createBudget(maxPolicyLookups, limitMs);
  const forOthers = createBudget(maxLookups, limitMs);
  return async (name, type) => {
    const remainingMs = (name.startsWith("_dmarc.") ? forPolicies : forOthers)();
    if (remainingMs === 0 || !isRecordType(type)) throw new DnsError("ETIMEOUT", name);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DnsError("ETIMEOUT", name)), remainingMs);
    });
    try {
      const { data } = await Promise.race([lookUp(name, type), timeout]);
      // mailauth modifies the lists.
      return copyOf(data as string[] | string[][]);
    } finally {
      clearTimeout(timer);
    }
  };
};
