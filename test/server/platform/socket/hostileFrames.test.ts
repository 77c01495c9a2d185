import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { onInputs } from "../../../support/corpora.ts";
import type { Client } from "../../support/client.ts";
import { isType, openSocket } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

interface Sequence {
  readonly valid: boolean;
  readonly hex: string;
}

const text = 0x81;
const close = 0x8;

const lengthOf = (bytes: number, mask: number): Buffer => {
  if (bytes <= 125) return Buffer.from([mask | bytes]);
  const length = Buffer.from([mask | 126, 0, 0]);
  length.writeUInt16BE(bytes, 1);
  return length;
};

/** Builds a masked frame (RFC 6455, 5.2) with a masking key of zeros and a payload of at most 65,535 bytes. */
const frame = (firstByte: number, payload: Uint8Array, masked = true): Buffer =>
  Buffer.concat([
    Buffer.from([firstByte]),
    lengthOf(payload.length, masked ? 0x80 : 0),
    ...(masked ? [Buffer.alloc(4)] : []),
    payload,
  ]);

/** The first frame of a fragmented text, a middle one and the last one. */
const beginning = (payload: Uint8Array): Buffer => frame(0x01, payload);
const middle = (payload: Uint8Array): Buffer => frame(0x00, payload);
const ending = (payload: Uint8Array): Buffer => frame(0x80, payload);
const closing = (code: number, reason: Uint8Array = Buffer.alloc(0)): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(code);
  return frame(0x80 | close, Buffer.concat([bytes, reason]));
};

describe("Invalid frames on a socket", () => {
  let server: TestServer;
  let user: Client;

  before(async () => {
    server = await startServer();
    user = await server.signIn("owner@example.org");
  });
  after(() => server?.stop());

  /** Opens a socket without a library, sends frames, and returns the code of the received close frame. */
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

  onInputs(["utf8"], ({ areSamples, json }) => {
    it("are closed with 1007 when a text is not UTF-8, and accepted when it is", async () => {
      const goodbye = frame(0x80 | close, Buffer.from([0x03, 0xe8]));
      const sequences = json<readonly Sequence[]>("utf8").flat();
      expect(sequences.length).to.be.above(areSamples ? 20 : 60);
      for (const { valid, hex } of sequences)
        expect(await closeCode(frame(text, Buffer.from(hex, "hex")), goodbye), hex).to.equal(
          valid ? 1000 : 1007,
        );
    });
  });

  it("are closed with 1007 when invalid UTF-8 arrives in fragments, or as the reason of a close frame", async () => {
    const smile = Buffer.from("\u{1F600}");
    const [head, tail] = [smile.subarray(0, 2), smile.subarray(2)];
    expect(await closeCode(beginning(head), ending(tail), closing(1000))).to.equal(1000);
    expect(await closeCode(beginning(head), ending(head), closing(1000))).to.equal(1007);
    expect(await closeCode(beginning(head), ending(Buffer.alloc(0)), closing(1000))).to.equal(1007);
    expect(await closeCode(closing(1000, head))).to.equal(1007);
  });

  it("are closed with 1009 when a message is longer than 16,384 bytes, in one fragment or in many (RT9)", async () => {
    const [half, byte] = [Buffer.alloc(8_192, 0x20), Buffer.from(" ")];
    expect(await closeCode(beginning(half), ending(half), closing(1000))).to.equal(1000);
    expect(await closeCode(frame(text, Buffer.alloc(16_385, 0x20)))).to.equal(1009);
    expect(await closeCode(beginning(half), middle(half), ending(byte))).to.equal(1009);
    const claimed = Buffer.from([text, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await closeCode(claimed), "4 GiB that are only announced").to.equal(1009);
  });

  it("are closed with 1002 when they violate the protocol", async () => {
    const hello = Buffer.from("hello");
    const broken: Readonly<Record<string, Buffer>> = {
      "a new text within another": Buffer.concat([beginning(hello), frame(text, hello)]),
      "a ping that is too long": frame(0x89, Buffer.alloc(126)),
      "a goodbye of one byte": frame(0x80 | close, Buffer.from([3])),
      ...Object.fromEntries(
        [0, 999, 1004, 1005, 1006, 1016, 2999, 5000, 65_535].map((code) => [
          `goodbye ${code}`,
          closing(code),
        ]),
      ),
      ...Object.fromEntries(
        [0x83, 0x84, 0x85, 0x86, 0x87, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f].map((opcode) => [
          `opcode ${opcode}`,
          frame(opcode, hello),
        ]),
      ),
      "a reserved bit": frame(0xc1, hello),
      "another reserved bit": frame(0x91, hello),
      "no mask": frame(text, hello, false),
      "a continuation of nothing": frame(0x80, hello),
      "a fragmented ping": frame(0x09, hello),
    };
    for (const [name, bytes] of Object.entries(broken)) expect(await closeCode(bytes), name).to.equal(1002);
  });

  it("do not stop the server from answering others", async () => {
    const socket = await openSocket(server.origin, user);
    await socket.waitFor(isType("connection_established"));
    socket.socket.terminate();
  });
});
