import type { RecordData } from "./dnsMessage.ts";

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
export const withoutLongTexts = (records: readonly RecordData[]): readonly RecordData[] => {
  let left = maxBytesOfName;
  return records.filter((record) => {
    const bytes = bytesOf(record);
    left -= Math.min(bytes, maxTextBytes);
    return bytes <= maxTextBytes && left >= 0;
  });
};
