import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { encode } from "dns-packet";
import fc from "fast-check";
import { createDnsCache } from "../../../../server/platform/dns/dnsCache.ts";
import { createDnsClient, DnsError } from "../../../../server/platform/dns/dnsClient.ts";
import { DnsMessageError, decodeAnswer, encodeQuery } from "../../../../server/platform/dns/dnsMessage.ts";
import { freePort } from "../../../support/freePort.ts";
import { expectLinear } from "../../../support/linearTime.ts";
import { startDnsStub } from "../../support/dnsStub.ts";

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "answered",
    (error: unknown) => (error instanceof DnsError ? error.code : String(error)),
  );

describe("The DNS client", () => {
  it("reads records of every type that mail needs, also after a CNAME", async () => {
    const dns = await startDnsStub({
      "a.example": {
        A: ["192.0.2.1"],
        AAAA: ["2001:db8::1"],
        MX: ["10 mx.a.example", "0 ."],
        TXT: ["x".repeat(300)],
      },
      "alias.example": { CNAME: ["a.example"] },
      "1.2.0.192.in-addr.arpa": { PTR: ["a.example"] },
      "_25._tcp.a.example": { TLSA: ["030101 ab cd"] },
    });
    const ask = createDnsClient(dns.address);
    expect((await ask("a.example", "A")).data).to.deep.equal(["192.0.2.1"]);
    expect((await ask("alias.example", "A")).data).to.deep.equal(["192.0.2.1"]);
    expect((await ask("a.example", "AAAA")).data).to.deep.equal(["2001:db8::1"]);
    expect((await ask("a.example", "MX")).data).to.deep.equal([
      { priority: 10, exchange: "mx.a.example" },
      { priority: 0, exchange: "" },
    ]);
    expect((await ask("a.example", "TXT")).data).to.deep.equal([["x".repeat(255), "x".repeat(45)]]);
    expect((await ask("1.2.0.192.in-addr.arpa", "PTR")).data).to.deep.equal(["a.example"]);
    expect((await ask("_25._tcp.a.example", "TLSA")).data).to.deep.equal([
      new Uint8Array([3, 1, 1, 0xab, 0xcd]),
    ]);
    await dns.close();
  });

  it("caches an answer for its TTL, also a negative one, and sends equal concurrent queries once", async () => {
    const dns = await startDnsStub({ "a.example": { A: ["192.0.2.1"] }, "broken.example": "SERVFAIL" });
    let now = 0;
    const lookUp = createDnsCache(createDnsClient(dns.address), { now: () => now });
    await Promise.all([lookUp("a.example", "A"), lookUp("A.example", "A"), lookUp("a.example.", "A")]);
    expect(await codeOf(lookUp("none.example", "A"))).to.equal("ENOTFOUND");
    expect(await codeOf(lookUp("none.example", "A"))).to.equal("ENOTFOUND");
    expect(await codeOf(lookUp("a.example", "TXT"))).to.equal("ENODATA");
    expect(dns.queries).to.deep.equal(["a.example A", "none.example A", "a.example TXT"]);
    now = 59_999;
    await lookUp("a.example", "A");
    expect(dns.queries).to.have.length(3);
    now = 60_000;
    await lookUp("a.example", "A");
    expect(dns.queries).to.have.length(4);
    expect(await codeOf(lookUp("broken.example", "A"))).to.equal("ESERVFAIL");
    now += 5_000;
    dns.zone = { "broken.example": { A: ["192.0.2.9"] } };
    expect((await lookUp("broken.example", "A")).data).to.deep.equal(["192.0.2.9"]);
    await dns.close();
  });

  it("refuses invalid names without a query", async () => {
    const ask = createDnsClient("127.0.0.1:9");
    for (const name of ["a..example", `${"x".repeat(64)}.example`, "y.".repeat(130)])
      expect(await codeOf(ask(name, "A")), name).to.equal("EBADNAME");
  });

  it("parses any packet quickly into an answer or an error", () => {
    const query = encodeQuery(7, "a.example", "TXT");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(60), (noise, kept) => {
        const packet = Buffer.concat([query.subarray(0, kept), noise]);
        try {
          expect(decodeAnswer(packet, "TXT").data).to.be.an("array");
        } catch (error) {
          expect(error).to.be.instanceOf(DnsMessageError);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it("fails a query to a resolver without a route, over IPv4 and IPv6", async () => {
    // The system refuses the broadcast address and an interface that does not exist.
    for (const resolver of ["255.255.255.255", "255.255.255.255:5353", "[fe80::1%none]:53"])
      expect(await codeOf(createDnsClient(resolver)("a.example", "A")), resolver).to.equal("ESERVFAIL");
  });

  it("asks by TCP for an answer that is cut off, also one that arrives byte by byte", async () => {
    const port = await freePort();
    const udp = createSocket("udp4").bind(port, "127.0.0.1");
    await once(udp, "listening");
    const strings = ["v=spf1 ", "-all"].map((text) => Buffer.from(text));
    const answerTo = (query: Buffer, flags: number): Buffer =>
      encode({
        type: "response",
        id: query.readUInt16BE(0),
        flags,
        questions: [{ type: "TXT", name: "long.example" }],
        answers: [{ type: "TXT", name: "long.example", ttl: 60, data: strings }],
      });
    udp.on("message", (query, from) => {
      const cut = answerTo(query, 0x0380);
      udp.send(cut.subarray(0, cut.length - 6), from.port, from.address);
    });
    const tcp = createServer((socket) => {
      socket.setNoDelay(true).once("data", async (bytes: Buffer) => {
        const answer = answerTo(bytes.subarray(2), 0x0180);
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        for (const byte of Buffer.concat([length, answer])) {
          socket.write(Buffer.of(byte));
          await nextTurn();
        }
      });
    }).listen(port, "127.0.0.1");
    await once(tcp, "listening");
    const { data, ttl } = await createDnsClient(`127.0.0.1:${port}`)("long.example", "TXT");
    expect({ data, ttl }).to.deep.equal({ data: [["v=spf1 ", "-all"]], ttl: 60 });
    udp.close();
    tcp.close();
  });

  it("believes only the answer to its own question", async () => {
    const udp = createSocket("udp4").bind(0, "127.0.0.1");
    await once(udp, "listening");
    const answer = (id: number, name: string, type: "A" | "TXT", data: string): Buffer =>
      encode({
        type: "response",
        id,
        questions: [{ type, name }],
        answers: [type === "A" ? { type, name, data } : { type, name, data }],
      });
    udp.on("message", (query, from) => {
      const id = query.readUInt16BE(0);
      for (const packet of [
        Buffer.from("nonsense"),
        answer((id + 1) % 0x10000, "a.example", "A", "192.0.2.66"),
        answer(id, "b.example", "A", "192.0.2.67"),
        answer(id, "a.example", "TXT", "192.0.2.68"),
        query,
        answer(id, "A.example", "A", "192.0.2.1"),
      ])
        udp.send(packet, from.port, from.address);
    });
    const { data } = await createDnsClient(`127.0.0.1:${udp.address().port}`)("a.example", "A");
    expect(data).to.deep.equal(["192.0.2.1"]);
    udp.close();
  });

  describe("given a hostile packet", () => {
    const header = (answers: number): Buffer => {
      const bytes = Buffer.alloc(12);
      bytes.writeUInt16BE(0x8180, 2);
      bytes.writeUInt16BE(1, 4);
      bytes.writeUInt16BE(answers, 6);
      return bytes;
    };
    const question = Buffer.from("\x01a\x07example\x00\x00\x10\x00\x01", "latin1");
    const txt = (name: Buffer, data: Buffer): Buffer => {
      const head = Buffer.from([0, 16, 0, 1, 0, 0, 0, 60, 0, 0]);
      head.writeUInt16BE(data.length, 8);
      return Buffer.concat([name, head, data]);
    };
    const pointerTo = (at: number): Buffer => Buffer.from([0xc0 | (at >> 8), at & 0xff]);

    it("refuses names that point to themselves or ahead", () => {
      for (const at of [26, 28, 40])
        expect(() =>
          decodeAnswer(Buffer.concat([header(1), question, txt(pointerTo(at), Buffer.from([0]))]), "TXT"),
        ).to.throw(DnsMessageError);
    });

    it("refuses a packet that is cut off at any byte", () => {
      const whole = Buffer.concat([header(1), question, txt(pointerTo(12), Buffer.from("\x05v=abc"))]);
      expect(decodeAnswer(whole, "TXT").data).to.deep.equal([["v=abc"]]);
      for (let end = 0; end < whole.length; end += 1)
        expect(() => decodeAnswer(whole.subarray(0, end), "TXT"), String(end)).to.throw(DnsMessageError);
    });

    it("takes linear time for names of thousands of pointers in many records", () => {
      expectLinear("pointers", 8_000, (times) => {
        const start = 12 + question.length + 12;
        const chain = Array.from({ length: times }, (_, n) => pointerTo(n === 0 ? 12 : start + (n - 1) * 2));
        const last = pointerTo(start + (times - 1) * 2);
        const records = Array.from({ length: 400 }, () => txt(last, Buffer.from([0])));
        const packet = [header(401), question, txt(pointerTo(12), Buffer.concat(chain)), ...records];
        try {
          decodeAnswer(Buffer.concat(packet), "MX");
        } catch (error) {
          expect(error).to.be.instanceOf(DnsMessageError);
        }
      });
    });

    it("refuses more records than an honest answer has", () => {
      const records = Array.from({ length: 5_000 }, () => txt(pointerTo(12), Buffer.from([0])));
      expect(() => decodeAnswer(Buffer.concat([header(5_000), question, ...records]), "TXT")).to.throw(
        DnsMessageError,
        "too many",
      );
    });
  });
});
