import { expect } from "chai";
import { scrubText } from "../../../core/kernel/scrubText.ts";

describe("Scrubbing", () => {
  it("removes addresses, tokens and codes from a text and keeps the rest", () => {
    expect(scrubText("GET /masks/42 answered 503 after 15000 ms")).to.equal(
      "GET /masks/42 answered 503 after 15000 ms",
    );
    expect(scrubText("o'brien+x@mail.example.org; инфо@письмо.рф")).to.equal("[address]; [address]");
    expect(scrubText("Bearer 0123456789abcdef0123456789abcdef")).to.equal("Bearer [token]");
    expect(scrubText("otp=012345")).to.equal("otp=[code]");
  });
});
