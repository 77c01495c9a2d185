import { expect } from "chai";
import {
  outcomeOfError,
  outcomeOfReply,
  smtpCodes,
  toStorableAnswer,
} from "../../../server/delivery/smtpAnswer.ts";

const kindOf = (code: number): string => outcomeOfReply({ code, text: `${code} words` }).kind;

describe("The answer of the next hop", () => {
  it("is permanent when it refuses the envelope or the mail with 5yz", () => {
    expect(outcomeOfReply({ code: 550, text: "550 5.1.1 no" })).to.deep.equal({
      kind: "permanent",
      answer: "550 5.1.1 no",
    });
    expect(kindOf(554)).to.equal("permanent");
  });

  it("is temporary when it is 4yz, or is not about the mail", () => {
    expect([kindOf(450), kindOf(421)]).to.deep.equal(["temporary", "temporary"]);
    expect(outcomeOfError({ code: "ETIMEDOUT", message: "the server took too long" })).to.deep.equal({
      kind: "temporary",
      answer: "ETIMEDOUT: the server took too long",
    });
  });

  it("is temporary when the operator can fix it: credentials, or a wrong sequence of commands", () => {
    for (const code of [503, 530, 534, 535, 538]) expect(kindOf(code), String(code)).to.equal("temporary");
  });

  it("is stored as one short line without addresses", () => {
    expect(toStorableAnswer("550 5.1.1 <jörg@köln.example>: a@b.example\r\n unknown\u0000")).to.equal(
      "550 5.1.1 <[address]>: [address] unknown",
    );
    expect(toStorableAnswer("x".repeat(1_000))).to.have.lengthOf(200);
    const many = `550 ${"a@b.example ".repeat(400)} ${"x ".repeat(1_000)}`;
    expect(toStorableAnswer(many))
      .to.match(/^550 (?:\[address\] )+/)
      .and.have.lengthOf(200);
  });

  it("starts with its codes when it is stored", () => {
    expect(smtpCodes("550 5.1.1 unknown")).to.equal("550 5.1.1");
    expect(smtpCodes("550-5.7.26 unauthenticated")).to.equal("550 5.7.26");
    expect(smtpCodes("452 full")).to.equal("452");
    expect(smtpCodes("ESOCKET: connect ECONNREFUSED")).to.equal("");
  });
});
