import { expect } from "chai";
import fc from "fast-check";
import { readProxyHeader } from "../../../../server/smtp/connection/proxyHeader.ts";
import { localHeader, proxied, proxySignature } from "../../support/proxyHeaders.ts";

const ipv6 = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) =>
    Array.from({ length: 8 }, (_, n) =>
      ((bytes[2 * n] ?? 0) * 256 + (bytes[2 * n + 1] ?? 0)).toString(16),
    ).join(":"),
  );
const more = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

/** An address with as many groups as it has, in the shortest form of each. */
const sameAddress = (one: string | null, other: string): boolean =>
  new URL(`http://[${one}]/`).host === new URL(`http://[${other}]/`).host;

describe("A header of the PROXY protocol", () => {
  it("tells the sender's IPv4 address, however many TLVs follow, and whatever the client has sent after it", () => {
    fc.assert(
      fc.property(fc.ipV4(), more, more, (address, tlvs, after) => {
        const header = proxied(address, tlvs);
        expect(readProxyHeader(Buffer.concat([header, after]))).to.deep.equal({
          kind: "whole",
          length: header.length,
          address,
        });
      }),
    );
  });

  it("tells the sender's IPv6 address", () => {
    fc.assert(
      fc.property(ipv6, more, (address, tlvs) => {
        const read = readProxyHeader(proxied(address, tlvs));
        fc.pre(read.kind === "whole" && (read.address?.includes(":") ?? false));
        expect(read.kind === "whole" && sameAddress(read.address, address), address).to.equal(true);
      }),
    );
  });

  it("tells an IPv4 address within IPv6 as IPv4, so that one sender does not count as two", () => {
    const read = readProxyHeader(proxied("::ffff:c000:0207"));
    expect(read).to.include({ kind: "whole", address: "192.0.2.7" });
  });

  it("is waited for as long as it is incomplete, wherever it is cut", () => {
    for (const header of [proxied("192.0.2.7", Buffer.alloc(40)), proxied("2001:db8::1"), localHeader])
      for (let length = 0; length < header.length; length += 1)
        expect(readProxyHeader(header.subarray(0, length)), String(length)).to.deep.equal({
          kind: "incomplete",
        });
  });

  it("of a balancer's own connection names nobody", () => {
    expect(readProxyHeader(localHeader)).to.deep.equal({ kind: "whole", length: 16, address: null });
  });

  it("is refused when it is of version 1, of no protocol that mail uses, too short or too long", () => {
    const withFixed = (command: number, protocol: number, length: number): Buffer =>
      Buffer.concat([
        proxySignature,
        Buffer.from([command, protocol, length >> 8, length & 255]),
        Buffer.alloc(length),
      ]);
    const refused = [
      Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 1 25\r\n"),
      Buffer.from("EHLO a.example\r\n"),
      withFixed(0x11, 0x11, 12),
      withFixed(0x22, 0x11, 12),
      withFixed(0x21, 0x00, 0),
      withFixed(0x21, 0x12, 12),
      withFixed(0x21, 0x31, 216),
      withFixed(0x21, 0x11, 11),
      withFixed(0x21, 0x21, 35),
      withFixed(0x21, 0x11, 2_049),
      withFixed(0x20, 0x00, 65_535),
    ];
    for (const bytes of refused)
      expect(readProxyHeader(bytes), bytes.subarray(0, 20).toString("hex")).to.deep.equal({
        kind: "invalid",
      });
  });

  it("is read from any bytes without failing", () => {
    const changed = fc
      .tuple(fc.nat(30), fc.nat(255))
      .map(([at, byte]) => Object.assign(Buffer.from(proxied("2001:db8::1")), { [at]: byte }));
    fc.assert(
      fc.property(fc.oneof(more, changed), (bytes) => {
        const read = readProxyHeader(Buffer.from(bytes));
        if (read.kind === "whole") expect(read.length).to.be.within(16, bytes.length);
      }),
    );
  });
});
