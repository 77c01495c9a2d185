import { expect } from "chai";
import { smtpCodes, toDeliveryOutcome, toStorableAnswer } from "../../../server/delivery/smtpAnswer.ts";

const failure = (code: string, responseCode?: number, response?: string): Error =>
  Object.assign(new Error("it failed"), { code, responseCode, response });

describe("What the next hop's answer means", () => {
  it("is for good when it refuses the envelope or the mail with 5yz", () => {
    expect(toDeliveryOutcome(failure("EENVELOPE", 550, "550 5.1.1 no"))).to.deep.equal({
      kind: "permanent",
      answer: "550 5.1.1 no",
    });
    expect(toDeliveryOutcome(failure("EMESSAGE", 554, "554 no")).kind).to.equal("permanent");
    expect(toDeliveryOutcome(failure("EMESSAGE")).kind).to.equal("permanent");
  });

  it("is for now when it says 4yz, and in all that is not about the mail", () => {
    expect(toDeliveryOutcome(failure("EENVELOPE", 450, "450 later")).kind).to.equal("temporary");
    expect(toDeliveryOutcome(failure("EMESSAGE", 421, "421 bye")).kind).to.equal("temporary");
    for (const code of ["EAUTH", "ETLS", "EDNS", "ECONNECTION", "ETIMEDOUT", "ESOCKET", "EPROTOCOL"])
      expect(toDeliveryOutcome(failure(code, 535, "535 no")).kind, code).to.equal("temporary");
    expect(toDeliveryOutcome("not even an error").kind).to.equal("temporary");
  });

  it("is for now when the operator can cure it: credentials, or a confused session", () => {
    for (const code of [503, 530, 534, 535, 538])
      expect(toDeliveryOutcome(failure("EENVELOPE", code, `${code} no`)).kind, String(code)).to.equal(
        "temporary",
      );
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
