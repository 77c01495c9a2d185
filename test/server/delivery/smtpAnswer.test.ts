import { expect } from "chai";
import {
  outcomeOfError,
  outcomeOfReply,
  smtpCodes,
  toStorableAnswer,
} from "../../../server/delivery/smtpAnswer.ts";

const kindOf = (code: number): string => outcomeOfReply({ code, text: `${code} words` }).kind;

describe("What the next hop's answer means", () => {
  it("is for good when it refuses the envelope or the mail with 5yz", () => {
    expect(outcomeOfReply({ code: 550, text: "550 5.1.1 no" })).to.deep.equal({
      kind: "permanent",
      answer: "550 5.1.1 no",
    });
    expect(kindOf(554)).to.equal("permanent");
  });

  it("is for now when it says 4yz, and in all that is not about the mail", () => {
    expect([kindOf(450), kindOf(421)]).to.deep.equal(["temporary", "temporary"]);
    expect(outcomeOfError({ code: "ETIMEDOUT", message: "the server took too long" })).to.deep.equal({
      kind: "temporary",
      answer: "ETIMEDOUT: the server took too long",
    });
  });

  it("is for now when the operator can cure it: credentials, or a confused session", () => {
    for (const code of [503, 530, 534, 535, 538]) expect(kindOf(code), String(code)).to.equal("temporary");
  });

  it("is kept in one short line without addresses", () => {
    expect(toStorableAnswer("550 5.1.1 <jörg@köln.example>: a@b.example\r\n unknown\u0000")).to.equal(
      "550 5.1.1 <[address]>: [address] unknown",
    );
    expect(toStorableAnswer("x".repeat(1_000))).to.have.lengthOf(200);
  });

  it("has its codes in front", () => {
    expect(smtpCodes("550 5.1.1 unknown")).to.equal("550 5.1.1");
    expect(smtpCodes("550-5.7.26 unauthenticated")).to.equal("550 5.7.26");
    expect(smtpCodes("452 full")).to.equal("452");
    expect(smtpCodes("ESOCKET: connect ECONNREFUSED")).to.equal("");
  });
});
