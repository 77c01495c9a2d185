import { createSocket } from "node:dgram";

/** What a name has: records by type, "SERVFAIL", or "silence", which never answers. */
export type Zone = Readonly<
  Record<string, Readonly<Record<string, readonly string[]>> | "SERVFAIL" | "silence">
>;

export interface DnsStub {
  /** As DNS_SERVER wants it. */
  readonly address: string;
  /** Every name that was asked for, with its type. */
  readonly queries: readonly string[];
  zone: Zone;
  readonly close: () => Promise<void>;
}

const types: Readonly<Record<number, string>> = { 1: "A", 5: "CNAME", 15: "MX", 16: "TXT", 28: "AAAA" };

interface Question {
  readonly name: string;
  readonly type: number;
  readonly end: number;
}

const questionIn = (packet: Buffer): Question => {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: packet.readUInt16BE(at + 1), end: at + 5 };
};

const dataOf = (type: number, value: string): Buffer => {
  if (type === 1) return Buffer.from(value.split(".").map(Number));
  const strings = value.match(/.{1,255}/gs) ?? [""];
  return Buffer.concat(strings.map((one) => Buffer.concat([Buffer.from([one.length]), Buffer.from(one)])));
};

const record = (type: number, value: string): Buffer => {
  const data = dataOf(type, value);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
};

const noError = 0;
const serverFailure = 2;
const noSuchName = 3;

/** A real name server on a port of this machine, over UDP, that knows a few names and no other. */
export const startDnsStub = async (zone: Zone): Promise<DnsStub> => {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  await new Promise<void>((bound) => socket.bind(0, "127.0.0.1", bound));
  const stub: DnsStub = {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    zone,
    close: () => new Promise((closed) => socket.close(() => closed())),
  };
  socket.on("message", (packet, from) => {
    const { name, type, end } = questionIn(packet);
    queries.push(`${name} ${types[type] ?? type}`);
    const known = stub.zone[name];
    if (known === "silence") return;
    const answers = typeof known === "object" ? (known[types[type] ?? ""] ?? []) : [];
    const header = Buffer.alloc(12);
    packet.copy(header, 0, 0, 2);
    const code = known === "SERVFAIL" ? serverFailure : known === undefined ? noSuchName : noError;
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    const records = answers.map((value) => record(type, value));
    socket.send(Buffer.concat([header, packet.subarray(12, end), ...records]), from.port, from.address);
  });
  return stub;
};
