import { createSocket } from "node:dgram";

/** Records of one type of a name, or a server failure. */
type Records = readonly string[] | "SERVFAIL";

/** Records by name and type; "SERVFAIL" fails all queries for a name, "silence" never answers them. */
export type Zone = Readonly<Record<string, Readonly<Record<string, Records>> | "SERVFAIL" | "silence">>;

export interface DnsStub {
  /** Host and port in the format of DNS_SERVER. */
  readonly address: string;
  /** All queries so far, as "name type". */
  readonly queries: readonly string[];
  zone: Zone;
  /** Domains whose answers DNSSEC protects, with all names below them. */
  authentic: readonly string[];
  readonly close: () => Promise<void>;
}

const types: Readonly<Record<number, string>> = {
  1: "A",
  5: "CNAME",
  12: "PTR",
  15: "MX",
  16: "TXT",
  28: "AAAA",
  52: "TLSA",
};

const cnameType = 5;

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

const nameData = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .replace(/\.$/, "")
      .split(".")
      .filter((label) => label !== "")
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

/** Returns the 16 bytes of an IPv6 address; "::" is allowed. */
const ipv6Data = (address: string): Buffer => {
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const [first, last] = [groups(head), groups(tail ?? "")];
  const all =
    tail === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill("0"), ...last];
  return Buffer.concat(all.map((group) => Buffer.from(group.padStart(4, "0"), "hex")));
};

const dataOf = (type: number, value: string): Buffer => {
  switch (types[type]) {
    case "A":
      return Buffer.from(value.split(".").map(Number));
    case "AAAA":
      return ipv6Data(value);
    case "CNAME":
    case "PTR":
      return nameData(value);
    case "MX": {
      const [priority = "0", exchange = ""] = value.split(" ");
      const number = Buffer.alloc(2);
      number.writeUInt16BE(Number(priority));
      return Buffer.concat([number, nameData(exchange)]);
    }
    case "TLSA":
      return Buffer.from(value.replaceAll(" ", ""), "hex");
    default: {
      const strings = value.match(/.{1,255}/gs) ?? [""];
      return Buffer.concat(
        strings.map((one) => {
          const bytes = Buffer.from(one, "latin1");
          return Buffer.concat([Buffer.from([bytes.length]), bytes]);
        }),
      );
    }
  }
};

const record = (name: string | null, type: number, value: string): Buffer => {
  const data = dataOf(type, value);
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(60, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([name === null ? Buffer.from([0xc0, 0x0c]) : nameData(name), head, data]);
};

const noError = 0;
const serverFailure = 2;
const noSuchName = 3;

const maxUdpBytes = 1_232;

/** Returns the records of a type, also behind a CNAME. */
const answersOf = (
  zone: Zone,
  name: string,
  type: number,
): { readonly answers: readonly Buffer[]; readonly isFailing: boolean } => {
  const known = zone[name];
  if (known === "SERVFAIL") return { answers: [], isFailing: true };
  if (typeof known !== "object") return { answers: [], isFailing: false };
  const alias = known["CNAME"]?.[0];
  if (alias !== undefined && type !== cnameType) {
    const target = zone[alias.toLowerCase().replace(/\.$/, "")];
    const found = typeof target === "object" ? target[types[type] ?? ""] : undefined;
    const values = typeof found === "object" ? found : [];
    return {
      answers: [record(null, cnameType, alias), ...values.map((value) => record(alias, type, value))],
      isFailing: found === "SERVFAIL",
    };
  }
  const found = known[types[type] ?? ""] ?? [];
  return found === "SERVFAIL"
    ? { answers: [], isFailing: true }
    : { answers: found.map((value) => record(null, type, value)), isFailing: false };
};

/** Starts a DNS server over UDP that knows only the names of the zone, on a free loopback port unless named. */
export const startDnsStub = async (
  zone: Zone,
  { host, port } = { host: "127.0.0.1", port: 0 },
): Promise<DnsStub> => {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  await new Promise<void>((bound) => socket.bind(port, host, bound));
  const stub: DnsStub = {
    address: `${host}:${socket.address().port}`,
    queries,
    zone,
    authentic: [],
    close: () => new Promise((closed) => socket.close(() => closed())),
  };
  socket.on("message", (packet, from) => {
    const { name, type, end } = questionIn(packet);
    queries.push(`${name} ${types[type] ?? type}`);
    const known = stub.zone[name];
    if (known === "silence") return;
    const { answers, isFailing } = answersOf(stub.zone, name, type);
    const header = Buffer.alloc(12);
    packet.copy(header, 0, 0, 2);
    const code = isFailing ? serverFailure : known === undefined ? noSuchName : noError;
    const alias = types[type] === "CNAME" || typeof known !== "object" ? undefined : known["CNAME"]?.[0];
    const isAuthentic = [name, ...(alias === undefined ? [] : [alias])].every((one) =>
      stub.authentic.some((domain) => one === domain || one.endsWith(`.${domain}`)),
    );
    header.writeUInt16BE(0x8180 | (isAuthentic ? 0x20 : 0) | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    const reply = Buffer.concat([header, packet.subarray(12, end), ...answers]);
    if (reply.length > maxUdpBytes) {
      header.writeUInt16BE(0x8380 | code, 2);
      header.writeUInt16BE(0, 6);
      socket.send(Buffer.concat([header, packet.subarray(12, end)]), from.port, from.address);
    } else socket.send(reply, from.port, from.address);
  });
  return stub;
};
