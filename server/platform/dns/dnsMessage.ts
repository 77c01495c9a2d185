import {
  type Answer,
  AUTHENTIC_DATA,
  type DecodedPacket,
  decode,
  encode,
  RECURSION_DESIRED,
} from "dns-packet";

/** The record types that mail needs. */
const recordTypes = ["A", "NS", "CNAME", "PTR", "MX", "TXT", "AAAA", "TLSA"] as const;

export type RecordType = (typeof recordTypes)[number];

export const isRecordType = (type: string): type is RecordType => recordTypes.some((known) => known === type);

/** A mail exchanger (RFC 1035, 3.3.9). */
export interface MxRecord {
  readonly priority: number;
  /** Without the final dot; empty for the null MX (RFC 7505). */
  readonly exchange: string;
}

/** The data of one record: the strings of a TXT record, an MX, bytes of a TLSA record, else a name or an address. */
export type RecordData = string | readonly string[] | MxRecord | Uint8Array;

/** The answer of a name server. */
export interface DnsAnswer {
  readonly id: number;
  readonly isResponse: boolean;
  readonly isTruncated: boolean;
  /** True if the resolver has verified the answer with DNSSEC (RFC 4035, 3.2.3). */
  readonly isAuthentic: boolean;
  /** RCODE: 0 no error, 2 server failure, 3 no such name. */
  readonly code: number;
  readonly question: { readonly name: string; readonly type: string } | null;
  /** The data of all records of the queried type, after aliases. */
  readonly data: readonly RecordData[];
  /** The name that has the records, in lower case; absent where the queried name is no alias. */
  readonly target?: string;
  /** The TTL in seconds; for a missing record that of the SOA (RFC 2308, 5). */
  readonly ttl: number;
}

/** A packet that is no answer, or a malformed one. */
export class DnsMessageError extends Error {}

const headerBytes = 12;
const maxLabelBytes = 63;
const maxNameBytes = 254;
/** Bytes of a UDP answer that is never fragmented. */
const udpBytes = 1_232;
/** More records are no honest answer; each can hold a name with thousands of pointers. */
const maxRecords = 500;

/** True if a name can be queried: labels of at most 63 octets, and 253 in all (RFC 1035, 2.3.4). */
export const isDnsName = (name: string): boolean => {
  const labels = name.replace(/\.$/, "").split(".");
  return (
    Buffer.byteLength(name) <= maxNameBytes &&
    labels.every((label) => label !== "" && Buffer.byteLength(label) <= maxLabelBytes)
  );
};

const withoutFinalDot = (name: string): string => name.replace(/\.$/, "");

/** Encodes a recursive query with EDNS (RFC 6891) that requests the DNSSEC status (RFC 6840, 5.7). */
export const encodeQuery = (id: number, name: string, type: RecordType): Buffer =>
  encode({
    type: "query",
    id,
    flags: RECURSION_DESIRED | AUTHENTIC_DATA,
    questions: [{ type, class: "IN", name: withoutFinalDot(name) }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: udpBytes,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });

const isAddressOrName = (record: Answer): record is Answer & { readonly data: string } =>
  "data" in record && typeof record.data === "string";

const dataOf = (record: Answer): RecordData => {
  switch (record.type) {
    case "TXT":
      return [record.data].flat().map(String);
    case "MX":
      return { priority: record.data.preference ?? 0, exchange: withoutFinalDot(record.data.exchange) };
    case "TLSA": {
      const { usage, selector, matchingType, certificate } = record.data;
      return Uint8Array.of(usage, selector, matchingType, ...certificate);
    }
    default:
      if (!isAddressOrName(record)) throw new DnsMessageError("an unexpected type");
      return record.type === "A" || record.type === "AAAA" ? record.data : withoutFinalDot(record.data);
  }
};

const ttlOf = (record: Answer): number => ("ttl" in record ? (record.ttl ?? 0) : 0);

/** Returns how long a record is known to be missing. */
const secondsOfSoa = (record: Answer): readonly number[] =>
  record.type === "SOA" ? [Math.min(ttlOf(record), record.data.minimum ?? 0)] : [];

/** Seconds that an answer without any lifetime is kept. */
const noLifetime = 0;

const lifetimeOf = (type: RecordType, { answers = [], authorities = [] }: DecodedPacket): number => {
  const found = answers.filter((record) => record.type === type);
  const aliases = type === "CNAME" ? [] : answers.filter((record) => record.type === "CNAME");
  const lifetimes = [
    ...[...found, ...aliases].map(ttlOf),
    ...(found.length > 0 ? [] : authorities.flatMap(secondsOfSoa)),
  ];
  return lifetimes.length === 0 ? noLifetime : Math.min(...lifetimes);
};

const truncation = 1 << 9;

/**
 * Decodes a packet without its additional section, of which nothing is believed, and without the records of a
 * truncated one. The library reads past the end of a packet that is cut off, so its end is compared.
 */
const readMessage = (packet: Buffer): DecodedPacket => {
  if (packet.length < headerBytes || packet.readUInt16BE(4) !== 1)
    throw new DnsMessageError("not one question");
  const read = Buffer.from(packet);
  read.writeUInt16BE(0, 10);
  if ((read.readUInt16BE(2) & truncation) !== 0) read.fill(0, 6, headerBytes);
  if (read.readUInt16BE(6) + read.readUInt16BE(8) > maxRecords) throw new DnsMessageError("too many records");
  try {
    const message = decode(read);
    if (decode.bytes <= packet.length) return message;
  } catch (error) {
    throw new DnsMessageError("malformed", { cause: error });
  }
  throw new DnsMessageError("cut off");
};

/** Returns the name that has the records of the queried type where it is another one than the queried name. */
const targetOf = (queried: string, found: readonly Answer[]): string | null => {
  const target = withoutFinalDot(found[0]?.name ?? queried).toLowerCase();
  return target === withoutFinalDot(queried).toLowerCase() ? null : target;
};

/** Decodes an answer to a query for `type`; throws a `DnsMessageError` when it is malformed. */
export const decodeAnswer = (packet: Buffer, type: RecordType): DnsAnswer => {
  const message = readMessage(packet);
  const { id = 0, flags = 0, questions: [question] = [], answers = [] } = message;
  if (question === undefined) throw new DnsMessageError("no question");
  const found = answers.filter((record) => record.type === type);
  const target = targetOf(question.name, found);
  return {
    id,
    isResponse: message.flag_qr,
    isTruncated: message.flag_tc,
    isAuthentic: message.flag_ad,
    code: flags & 0x000f,
    question: { name: withoutFinalDot(question.name), type: question.type },
    data: found.map(dataOf),
    ...(target === null ? {} : { target }),
    ttl: lifetimeOf(type, message),
  };
};

/** True if a packet has the id of a query, which is known before it is decoded. */
export const hasId = (packet: Buffer, id: number): boolean =>
  packet.length >= headerBytes && packet.readUInt16BE(0) === id;

/** True if an answer belongs to a query. */
export const isAnswerTo = (answer: DnsAnswer, id: number, name: string, type: RecordType): boolean =>
  answer.isResponse &&
  answer.id === id &&
  answer.question?.type === type &&
  answer.question.name.toLowerCase() === withoutFinalDot(name).toLowerCase();
