import { connect, type Socket } from "node:net";
import { expect } from "chai";
import type { Client } from "../support/client.ts";
import { needsCorpora, readJsonCorpus } from "../support/corpora.ts";
import { isType, openSocket } from "../support/socketClient.ts";
import { startServer, type TestServer } from "../support/startServer.ts";

interface Sequence {
  readonly valid: boolean;
  readonly hex: string;
}

const text = 0x81;
const close = 0x8;

/** A masked frame of RFC 6455, 5.2, with a mask of zeros and a payload of at most 125 bytes. */
const frame = (firstByte: number, payload: Uint8Array, masked = true): Buffer =>
  Buffer.concat([
    Buffer.from([firstByte, (masked ? 0x80 : 0) | payload.length]),
    ...(masked ? [Buffer.alloc(4)] : []),
    payload,
  ]);

describe("bytes that are no decent conversation", () => {
  let server: TestServer;
  let user: Client;

  before(async () => {
    server = await startServer();
    user = await server.signIn("owner@example.org");
  });
  after(() => server?.stop());

  /** Opens a socket by hand, sends frames, and answers the code of the close frame that comes back. */
  const closeCode = (...frames: Buffer[]): Promise<number> =>
    new Promise((resolve, reject) => {
      const cookie = Array.from(user.cookies, ([name, value]) => `${name}=${value}`).join("; ");
      const raw: Socket = connect(server.port, "127.0.0.1");
      let received = Buffer.alloc(0);
      raw.write(
        `GET /ws?token=${user.token} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: ${cookie}\r\n\r\n`,
      );
      raw.once("data", () => raw.write(Buffer.concat(frames)));
      raw.on("data", (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
      });
      raw.on("error", reject);
      raw.on("close", () => {
        const at = received.lastIndexOf(Buffer.from([0x80 | close, 2]));
        resolve(at === -1 ? 0 : received.readUInt16BE(at + 2));
      });
    });

  it("end with 1007 when a text is not UTF-8, and with no harm when it is", async function () {
    needsCorpora.call(this);
    const goodbye = frame(0x80 | close, Buffer.from([0x03, 0xe8]));
    const sequences = readJsonCorpus<readonly Sequence[]>("websocket/autobahn-utf8.json");
    expect(sequences.length).to.be.above(60);
    for (const { valid, hex } of sequences)
      expect(await closeCode(frame(text, Buffer.from(hex, "hex")), goodbye), hex).to.equal(
        valid ? 1000 : 1007,
      );
  });

  it("end with 1002 when the protocol is broken", async () => {
    const hello = Buffer.from("hello");
    const broken = {
      "a reserved bit": frame(0xc1, hello),
      "a reserved opcode": frame(0x83, hello),
      "a reserved control opcode": frame(0x8b, hello),
      "no mask": frame(text, hello, false),
      "a continuation of nothing": frame(0x80, hello),
      "a fragmented ping": frame(0x09, hello),
      "a close code that nobody may send": frame(0x80 | close, Buffer.from([0x03, 0xee])),
    };
    for (const [name, bytes] of Object.entries(broken)) expect(await closeCode(bytes), name).to.equal(1002);
  });

  it("leave the server answering everybody else", async () => {
    const socket = await openSocket(server.origin, user);
    await socket.hear(isType("connection_established"));
    socket.socket.terminate();
  });
});
