import { expect } from "chai";
import type { EmailAddress } from "../../../core/mail/emailAddress.ts";
import { unjudged } from "../../../server/proof/evidence.ts";
import { proveOnLoopback } from "../../../server/proof/proveOnLoopback.ts";

const owner: EmailAddress = "ada@home.example";
const found = unjudged("none");
const judge = proveOnLoopback(async () => found, owner);
const mail = { head: Buffer.alloc(0), size: 0, readAll: async () => Buffer.alloc(0) };
const judged = (sender: string, remoteAddress: string) => judge(mail, { sender, remoteAddress, helo: false });

describe("The demo's proof by loopback", () => {
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    it(`proves the demo's own address from ${address}`, async () => {
      expect(await judged("Ada@home.example", address)).to.include({ proof: "proven" });
    });

  for (const [sender, address] of [
    ["bob@home.example", "127.0.0.1"],
    ["", "127.0.0.1"],
    [owner, "192.0.2.1"],
    [owner, "10.0.0.1"],
    [owner, "::ffff:192.0.2.1"],
  ] as const)
    it(`leaves what is known of ${sender || "nobody"} at ${address} as it is`, async () => {
      expect(await judged(sender, address)).to.equal(found);
    });
});
