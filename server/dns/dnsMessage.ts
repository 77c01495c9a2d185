/** The record types that mail needs, with their numbers (RFC 1035, 3.2.2; RFC 3596; RFC 6698). */
const typeNumbers = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, TLSA: 52 } as const;

export type RecordType = keyof typeof typeNumbers;

export const isRecordType = (type: string): type is RecordType => Object.hasOwn(typeNumbers, type);

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
  /** Whether the resolver has verified the answer with DNSSEC (RFC 4035, 3.2.3). */
  readonly isAuthentic: boolean;
  /** RCODE: 0 no error, 2 server failure, 3 no such name. */
  readonly code: number;
  readonly question: { readonly name: string; readonly type: number } | null;
  /** The data of all records of the queried type, after aliases. */
  readonly data: readonly RecordData[];
  /** The TTL in seconds; for a missing record that of the SOA (RFC 2308, 5). */
  readonly ttl: number;
}

const headerBytes = 12;
const maxLabelBytes = 63;
const maxNameBytes = 254;
/** Bytes of a UDP answer that is never fragmented. */
const udpBytes = 1_232;
const optType = 41;
const internetClass = 1;

/** Whether a name can be queried: labels of at most 63 octets, and 253 in all (RFC 1035, 2.3.4). */
export const isDnsName = (name: string): boolean => {
  const labels = name.replace(/\.$/, "").split(".");
  return (
    Buffer.byteLength(name) <= maxNameBytes &&
    labels.every((label) => label !== "" && Buffer.byteLength(label) <= maxLabelBytes)
  );
};

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .replace(/\.$/, "")
      .split(".")
      .flatMap((label) => {
        const bytes = Buffer.from(label);
        return [Buffer.from([bytes.length]), bytes];
      }),
    Buffer.from([0]),
  ]);

/** Encodes a recursive query with EDNS (RFC 6891) that requests the DNSSEC status (RFC 6840, 5.7). */
export const encodeQuery = (id: number, name: string, type: RecordType): Buffer => {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(0x0120, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(1, 10);
  const kind = Buffer.alloc(4);
  kind.writeUInt16BE(typeNumbers[type], 0);
  kind.writeUInt16BE(internetClass, 2);
  const edns = Buffer.alloc(11);
  edns.writeUInt16BE(optType, 1);
  edns.writeUInt16BE(udpBytes, 3);
  return Buffer.concat([header, encodeName(name), kind, edns]);
};

const maxPointers = 32;

const readLabels = (
  packet: Buffer,
  start: number,
): { readonly labels: readonly string[]; readonly end: number; readonly pointer: number | null } => {
  const labels: string[] = [];
  let at = start;
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    if (length >= 0xc0) return { labels, end: at + 2, pointer: packet.readUInt16BE(at) & 0x3fff };
    if (at + 1 + length > packet.length) throw new RangeError("name is cut off");
    labels.push(packet.toString("utf8", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { labels, end: at + 1, pointer: null };
};

/** Reads a name, which may be compressed (RFC 1035, 4.1.4); throws when it is malformed. */
const readName = (packet: Buffer, start: number): { readonly name: string; readonly end: number } => {
  const first = readLabels(packet, start);
  const labels = [...first.labels];
  let { pointer } = first;
  for (let pointers = 0; pointer !== null; pointers += 1) {
    if (pointers > maxPointers) throw new RangeError("too many pointers");
    const next = readLabels(packet, pointer);
    labels.push(...next.labels);
    ({ pointer } = next);
  }
  return { name: labels.join("."), end: first.end };
};

const readStrings = (data: Buffer): readonly string[] => {
  const strings: string[] = [];
  for (let at = 0; at < data.length; at += 1 + data.readUInt8(at))
    strings.push(data.toString("utf8", at + 1, at + 1 + data.readUInt8(at)));
  return strings;
};

const readIpv6 = (data: Buffer): string =>
  Array.from({ length: 8 }, (_, n) => data.readUInt16BE(n * 2).toString(16)).join(":");

const readData = (packet: Buffer, type: RecordType, start: number, end: number): RecordData => {
  const data = packet.subarray(start, end);
  switch (type) {
    case "A":
      return Array.from(data.subarray(0, 4)).join(".");
    case "AAAA":
      return readIpv6(data);
    case "TXT":
      return readStrings(data);
    case "MX":
      return { priority: data.readUInt16BE(0), exchange: readName(packet, start + 2).name };
    case "TLSA":
    case "SOA":
      return new Uint8Array(data);
    case "NS":
    case "CNAME":
    case "PTR":
      return readName(packet, start).name;
  }
};

/** Seconds that an answer without any lifetime is kept. */
const noLifetime = 0;

const secondsOfSoa = (packet: Buffer, end: number, ttl: number): number =>
  Math.min(ttl, packet.readUInt32BE(end - 4));

interface RawRecord {
  readonly type: number;
  readonly ttl: number;
  readonly start: number;
  readonly end: number;
}

const readRecords = (
  packet: Buffer,
  start: number,
  count: number,
): { readonly records: readonly RawRecord[]; readonly end: number } => {
  const records: RawRecord[] = [];
  let at = start;
  for (let n = 0; n < count; n += 1) {
    const { end: head } = readName(packet, at);
    const dataStart = head + 10;
    const end = dataStart + packet.readUInt16BE(head + 8);
    if (end > packet.length) throw new RangeError("record is cut off");
    records.push({
      type: packet.readUInt16BE(head),
      ttl: packet.readUInt32BE(head + 4),
      start: dataStart,
      end,
    });
    at = end;
  }
  return { records, end: at };
};

const readQuestion = (packet: Buffer): { readonly question: DnsAnswer["question"]; readonly end: number } => {
  if (packet.readUInt16BE(4) !== 1) return { question: null, end: headerBytes };
  const { name, end } = readName(packet, headerBytes);
  return { question: { name, type: packet.readUInt16BE(end) }, end: end + 4 };
};

/** Decodes an answer to a query for `type`; throws when it is malformed. */
export const decodeAnswer = (packet: Buffer, type: RecordType): DnsAnswer => {
  const flags = packet.readUInt16BE(2);
  const { question, end } = readQuestion(packet);
  const answers = readRecords(packet, end, packet.readUInt16BE(6));
  const authorities = readRecords(packet, answers.end, packet.readUInt16BE(8));
  const found = answers.records.filter((record) => record.type === typeNumbers[type]);
  const aliases = answers.records.filter((record) => record.type === typeNumbers.CNAME);
  const soas = authorities.records.filter((record) => record.type === typeNumbers.SOA);
  const lifetimes = [
    ...[...found, ...aliases].map(({ ttl }) => ttl),
    ...(found.length > 0 ? [] : soas.map((soa) => secondsOfSoa(packet, soa.end, soa.ttl))),
  ];
  return {
    id: packet.readUInt16BE(0),
    isResponse: (flags & 0x8000) !== 0,
    isTruncated: (flags & 0x0200) !== 0,
    isAuthentic: (flags & 0x0020) !== 0,
    code: flags & 0x000f,
    question,
    data: found.map((record) => readData(packet, type, record.start, record.end)),
    ttl: lifetimes.length === 0 ? noLifetime : Math.min(...lifetimes),
  };
};

/** Whether an answer belongs to a query. */
export const isAnswerTo = (answer: DnsAnswer, id: number, name: string, type: RecordType): boolean =>
  answer.isResponse &&
  answer.id === id &&
  answer.question?.type === typeNumbers[type] &&
  answer.question.name.toLowerCase() === name.replace(/\.$/, "").toLowerCase();
