import { expect } from "chai";
import fc from "fast-check";
import { maxBytesInMemory } from "../../../server/platform/spool/arrivingContent.ts";
import { createArrivingBytes } from "../../../server/smtp/connection/arrivingBytes.ts";
import { IncomingContent } from "../../../server/smtp/incomingContent.ts";
import { maxMailBytes } from "../../../server/smtp/smtpLimits.ts";
import { createMemory } from "../support/memoryContent.ts";

describe("The content of a mail while it arrives", () => {
  const begin = (
    { capacity = 1_000, perNetwork = 600 },
    network: string | null = "192.0.2.7",
    arriving = createArrivingBytes({ perNetwork, ofThisHost: 3 * maxBytesInMemory }),
    memory = createMemory(capacity),
  ) => ({
    content: new IncomingContent({ beginContent: memory.beginContent, arriving, network }, 0),
    arriving,
    memory,
  });

  const kindOf = async (content: IncomingContent): Promise<string> => {
    const result = await content.finish();
    return result.kind === "refused" ? `${result.reply.code} ${result.reply.status}` : "whole";
  };

  it("is stored whole as long as the shared memory suffices, and frees it", async () => {
    const { content, arriving, memory } = begin({});
    await content.add([Buffer.alloc(500, "x")]);
    const other = begin({}, null, arriving, memory).content;
    await other.add([Buffer.alloc(501, "x")]);
    expect(await kindOf(content)).to.equal("whole");
    expect(await kindOf(other)).to.equal("452 4.3.1");
    content.discard();
    content.discard();
    other.discard();
    const next = begin({}, null, arriving, memory).content;
    await next.add([Buffer.alloc(990, "x")]);
    expect(await kindOf(next)).to.equal("whole");
  });

  it("leaves most of the shared memory to others where one network begins mails and does not end them", async () => {
    const arriving = createArrivingBytes({ perNetwork: 600, ofThisHost: 600 });
    const memory = createMemory(10_000);
    const hanging = Array.from({ length: 7 }, () => begin({}, "192.0.2.7", arriving, memory).content);
    for (const content of hanging) await content.add([Buffer.alloc(100, "x")]);
    const stranger = begin({}, "192.0.2.8", arriving, memory).content;
    await stranger.add([Buffer.alloc(100, "x")]);
    expect(await kindOf(stranger)).to.equal("whole");
    const kinds = [];
    for (const content of hanging) kinds.push(await kindOf(content));
    expect(kinds).to.deep.equal([...Array(6).fill("whole"), "452 4.3.1"]);
    const early = begin({}, "192.0.2.7", arriving, memory).content;
    await early.add([Buffer.alloc(100, "x")]);
    expect(await kindOf(early), "what is whole counts until it is stored or refused").to.equal("452 4.3.1");
    for (const content of hanging) content.discard();
    const next = begin({}, "192.0.2.7", arriving, memory).content;
    await next.add([Buffer.alloc(600, "x")]);
    expect(await kindOf(next)).to.equal("whole");
  });

  it("is refused where this host has too much in files that is not stored yet, but for small mail", async () => {
    const arriving = createArrivingBytes({ perNetwork: 600, ofThisHost: 3 * maxBytesInMemory });
    const memory = createMemory(10 * maxBytesInMemory);
    const large = Array.from({ length: 3 }, () => begin({}, null, arriving, memory).content);
    for (const content of large) await content.add([Buffer.alloc(1.4 * maxBytesInMemory, "x")]);
    const kinds = [];
    for (const content of large) kinds.push(await kindOf(content));
    expect(kinds).to.deep.equal(["whole", "whole", "452 4.3.1"]);
    const small = begin({}, null, arriving, memory).content;
    await small.add([Buffer.alloc(0.9 * maxBytesInMemory, "x")]);
    expect(await kindOf(small)).to.equal("whole");
    for (const content of [...large, small]) content.discard();
    const next = begin({}, null, arriving, memory).content;
    await next.add([Buffer.alloc(1.4 * maxBytesInMemory, "x")]);
    expect(await kindOf(next)).to.equal("whole");
  });

  it("is refused with 552 when it is too large, and frees its memory immediately", async () => {
    const { content, memory } = begin({ capacity: maxMailBytes + 1, perNetwork: 2 * maxMailBytes });
    for (let count = 0; count < 26; count += 1) await content.add([Buffer.alloc(1_048_576, "x")]);
    expect(memory.reserve(maxMailBytes + 1)).to.equal(true);
    expect(await kindOf(content)).to.equal("552 5.3.4");
  });

  it("is joined from single bytes, and from a CRLF that is split in two", async () => {
    const { content } = begin({});
    for (const byte of Buffer.from("a\r\nb\nc\rd\0\r")) await content.add([Buffer.from([byte])]);
    const result = await content.finish();
    if (result.kind === "refused") expect.fail("refused");
    const { head, chunks } = result.content;
    expect(head.toString()).to.equal("a\r\nb\r\nc d  \r\n");
    expect([...(chunks() as Iterable<Buffer>)]).to.have.lengthOf(1);
  });

  it("is the same in whichever pieces it arrives", async () => {
    const written = async (pieces: readonly Buffer[]): Promise<string> => {
      const { content } = begin({});
      for (const piece of pieces) await content.add([piece]);
      const result = await content.finish();
      return result.kind === "refused" ? expect.fail("refused") : result.content.head.toString("latin1");
    };
    const part = fc.constantFrom("\r", "\r\r\r\r", "\n", "\0", "text");
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const pieces = parts.map((text) => Buffer.from(text));
        expect(await written(pieces)).to.equal(await written([Buffer.concat(pieces)]));
      }),
    );
  });
});
