import { expect } from "chai";
import { refusalCodeIn } from "../../../core/mail/refusalCode.ts";

describe("The code of a refused reply", () => {
  it("is read from the sentence that names it", () => {
    expect(refusalCodeIn("A reply was not sent (BAUTA-R6): its To or Cc names somebody.")).to.equal(
      "BAUTA-R6",
    );
    expect(refusalCodeIn("A reply was not sent (BAUTA-R12): it is too long.")).to.equal("BAUTA-R12");
  });

  it("is one of those that the help explains", () => {
    expect(refusalCodeIn("A new mask was made.")).to.equal(null);
    expect(refusalCodeIn("BAUTA-R99")).to.equal(null);
  });
});
