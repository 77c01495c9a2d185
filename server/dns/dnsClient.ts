import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { getServers } from "node:dns";
import { connect, isIPv6 } from "node:net";
import {
  type DnsAnswer,
  decodeAnswer,
  encodeQuery,
  isAnswerTo,
  isDnsName,
  type RecordType,
} from "./dnsMessage.ts";

/** A failed DNS query; `code` is one of Node's codes, so that libraries understand it. */
export class DnsError extends Error {
  readonly code: "ETIMEOUT" | "ESERVFAIL" | "ENOTFOUND" | "ENODATA" | "EBADNAME";

  constructor(code: DnsError["code"], name: string) {
    super(`${code} ${name}`);
    this.code = code;
  }
}

/** Queries a name server; rejects with a `DnsError` when no answer arrives. */
export type AskDns = (name: string, type: RecordType) => Promise<DnsAnswer>;

interface Server {
  readonly host: string;
  readonly port: number;
}

const dnsPort = 53;
const noError = 0;
const noSuchName = 3;
const attemptMs = 1_500;
const attempts = 2;

/** Parses "192.0.2.1", "192.0.2.1:5353", "2001:db8::1" or "[2001:db8::1]:5353". */
const parseServer = (text: string): Server => {
  const [, bracketed, address, port] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  return { host: bracketed ?? address ?? text, port: port === undefined ? dnsPort : Number(port) };
};

const askByUdp = (server: Server, name: string, type: RecordType): Promise<DnsAnswer> =>
  new Promise((resolve, reject) => {
    const id = randomInt(0x10000);
    const socket = createSocket(isIPv6(server.host) ? "udp6" : "udp4");
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      socket.close();
      settle();
    };
    const timer = setTimeout(() => finish(() => reject(new DnsError("ETIMEOUT", name))), attemptMs);
    socket.once("error", () => finish(() => reject(new DnsError("ESERVFAIL", name))));
    socket.on("message", (packet) => {
      try {
        const answer = decodeAnswer(packet, type);
        // Anyone can send a packet to this port; only the answer to this query counts.
        if (isAnswerTo(answer, id, name, type)) finish(() => resolve(answer));
      } catch {
        // A malformed packet is ignored like a forged one.
      }
    });
    // A connected socket receives from this server only.
    socket.connect(server.port, server.host, () => socket.send(encodeQuery(id, name, type)));
  });

const askByTcp = (server: Server, name: string, type: RecordType): Promise<DnsAnswer> =>
  new Promise((resolve, reject) => {
    const id = randomInt(0x10000);
    const query = encodeQuery(id, name, type);
    const socket = connect(server.port, server.host);
    const fail = (code: DnsError["code"]): void => {
      socket.destroy();
      reject(new DnsError(code, name));
    };
    let received = Buffer.alloc(0);
    socket.setTimeout(attemptMs, () => fail("ETIMEOUT"));
    socket.once("error", () => fail("ESERVFAIL"));
    socket.once("end", () => fail("ESERVFAIL"));
    socket.once("connect", () => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(query.length);
      socket.write(Buffer.concat([length, query]));
    });
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      try {
        const answer = decodeAnswer(received.subarray(2, 2 + received.readUInt16BE(0)), type);
        if (!isAnswerTo(answer, id, name, type)) return fail("ESERVFAIL");
        socket.destroy();
        resolve(answer);
      } catch {
        fail("ESERVFAIL");
      }
    });
  });

/** Queries one server; rejects when it fails or does not answer in time. */
const askServer = async (server: Server, name: string, type: RecordType): Promise<DnsAnswer> => {
  const answer = await askByUdp(server, name, type);
  const complete = answer.isTruncated ? await askByTcp(server, name, type) : answer;
  if (complete.code !== noError && complete.code !== noSuchName) throw new DnsError("ESERVFAIL", name);
  return complete;
};

/**
 * Creates a DNS client: UDP with a random id and port per query, TCP for truncated answers, servers in turn.
 * `dnsServer` is an address with an optional port; null uses the system's servers.
 */
export const createDnsClient = (dnsServer: string | null): AskDns => {
  const listServers = (): readonly Server[] =>
    (dnsServer === null ? getServers() : [dnsServer]).map(parseServer);
  return async (name, type) => {
    if (!isDnsName(name)) throw new DnsError("EBADNAME", name);
    const servers = listServers();
    let failure: unknown = new DnsError("ESERVFAIL", name);
    for (const server of Array.from({ length: attempts }, () => servers).flat()) {
      try {
        return await askServer(server, name, type);
      } catch (error) {
        failure = error;
      }
    }
    throw failure instanceof DnsError ? failure : new DnsError("ESERVFAIL", name);
  };
};
