import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { getServers } from "node:dns";
import { connect, isIPv6 } from "node:net";
import {
  type DnsAnswer,
  decodeAnswer,
  encodeQuery,
  hasId,
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

/** The ends of an exchange with a server; only the first call counts. */
interface Exchange {
  readonly answer: (answer: DnsAnswer) => void;
  readonly fail: (code: DnsError["code"]) => void;
}

/**
 * Runs an exchange and fails it when its time is over. `run` returns the function that closes its socket, which is
 * called once, after `run` has returned.
 */
const exchange = (name: string, run: (exchange: Exchange) => () => void): Promise<DnsAnswer> =>
  new Promise((resolve, reject) => {
    let isSettled = false;
    let close = (): void => {};
    const settle = (end: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      end();
      queueMicrotask(() => close());
    };
    const fail = (code: DnsError["code"]): void => settle(() => reject(new DnsError(code, name)));
    const timer = setTimeout(() => fail("ETIMEOUT"), attemptMs);
    try {
      close = run({ answer: (answer) => settle(() => resolve(answer)), fail });
    } catch {
      fail("ESERVFAIL");
    }
  });

const askByUdp = (server: Server, name: string, type: RecordType): Promise<DnsAnswer> =>
  exchange(name, ({ answer, fail }) => {
    const id = randomInt(0x10000);
    const socket = createSocket(isIPv6(server.host) ? "udp6" : "udp4");
    const failed = (): void => fail("ESERVFAIL");
    // A socket can fail more than once, also after the answer.
    socket.on("error", failed);
    socket.on("message", (packet) => {
      if (!hasId(packet, id)) return;
      try {
        const received = decodeAnswer(packet, type);
        // Anyone can send a packet to this port; only the answer to this query counts.
        if (isAnswerTo(received, id, name, type)) answer(received);
      } catch {
        // A malformed packet is ignored like a forged one.
      }
    });
    // A connected socket receives from this server only. Without a route, the callback gets the error.
    socket.connect(server.port, server.host, (error?: Error) => {
      if (error) failed();
      else socket.send(encodeQuery(id, name, type), (unsent) => unsent && failed());
    });
    return () => socket.close();
  });

const lengthBytes = 2;

/** Reads one message with its length before it (RFC 1035, 4.2.2); `add` returns it once it is complete. */
const createMessageReader = (): ((bytes: Buffer) => Buffer | null) => {
  const message = Buffer.alloc(lengthBytes + 0xffff);
  let received = 0;
  return (bytes) => {
    received += bytes.copy(message, received);
    const end = lengthBytes + message.readUInt16BE(0);
    return received >= lengthBytes && received >= end ? message.subarray(lengthBytes, end) : null;
  };
};

const askByTcp = (server: Server, name: string, type: RecordType): Promise<DnsAnswer> =>
  exchange(name, ({ answer, fail }) => {
    const id = randomInt(0x10000);
    const query = encodeQuery(id, name, type);
    const add = createMessageReader();
    const socket = connect(server.port, server.host);
    const failed = (): void => fail("ESERVFAIL");
    socket.on("error", failed).on("close", failed).on("end", failed);
    socket.once("connect", () => {
      const length = Buffer.alloc(lengthBytes);
      length.writeUInt16BE(query.length);
      socket.write(Buffer.concat([length, query]));
    });
    socket.on("data", (bytes: Buffer) => {
      const message = add(bytes);
      if (message === null) return;
      try {
        const received = decodeAnswer(message, type);
        if (isAnswerTo(received, id, name, type)) answer(received);
        else failed();
      } catch {
        failed();
      }
    });
    return () => socket.destroy();
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
