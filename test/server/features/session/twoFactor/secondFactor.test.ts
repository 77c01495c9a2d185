import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import {
  encodeSecret,
  matchStep,
  setupUri,
} from "../../../../../server/features/session/twoFactor/secondFactor.ts";
import { skipWithout } from "../../../../support/missing.ts";
import { codeAt } from "../../../support/authenticator.ts";

/** RFC 6238, appendix B, SHA-1: seconds since 1970 and the last six of the eight digits. */
const timed = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
] as const;

/** RFC 4226, appendix D: the codes of the first ten counters. */
const counted = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split(" ");

const hasOathtool = (): boolean => {
  try {
    execFileSync("oathtool", ["--version"]);
    return true;
  } catch {
    return false;
  }
};

describe("The codes of an authenticator", () => {
  const secret = encodeSecret(Buffer.from("12345678901234567890"));

  it("are those of RFC 6238", () => {
    expect(secret).to.equal("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    for (const [seconds, code] of timed)
      expect(matchStep(secret, code, seconds * 1_000), code).to.equal(Math.floor(seconds / 30));
  });

  it("are those of RFC 4226 for each step", () => {
    for (const [step, code] of counted.entries()) {
      expect(matchStep(secret, code, step * 30_000), code).to.equal(step);
      expect(codeAt(secret, step * 30_000), "and so is the tests' authenticator").to.equal(code);
    }
  });

  it("are valid in the step before and the step after, and no further", () => {
    const now = 1_790_000_010_000;
    const step = Math.floor(now / 30_000);
    for (const ahead of [-1, 0, 1])
      expect(matchStep(secret, codeAt(secret, now + ahead * 30_000), now), `${ahead}`).to.equal(step + ahead);
    for (const ahead of [-3, -2, 2, 3])
      expect(matchStep(secret, codeAt(secret, now + ahead * 30_000), now), `${ahead}`).to.equal(null);
  });

  it("are equal to those of another implementation for any secret at any time", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.integer({ min: 0, max: 4_102_444_800_000 }),
        (bytes, now) => {
          const any = encodeSecret(bytes);
          const step = matchStep(any, codeAt(any, now), now);
          expect(step === null ? null : codeAt(any, step * 30_000)).to.equal(codeAt(any, now));
        },
      ),
    );
  });

  it("are equal to those of oathtool", function () {
    if (!hasOathtool()) skipWithout(this, "oathtool");
    for (let round = 0; round < 10; round++) {
      const any = encodeSecret(randomBytes(20));
      const now = 1_790_000_000_000 + round * 12_345_678;
      const at = `@${Math.floor(now / 1_000)}`;
      const code = execFileSync("oathtool", ["--totp", "-b", `--now=${at}`, any])
        .toString()
        .trim();
      expect(matchStep(any, code, now)).to.equal(Math.floor(now / 30_000));
    }
  });

  it("are set up by a URI that any authenticator reads", () => {
    const uri = new URL(setupUri(secret, { issuer: "Bauta", label: "o'brien+x@example.org" }));
    expect(uri.protocol).to.equal("otpauth:");
    expect(uri.host).to.equal("totp");
    expect(decodeURIComponent(uri.pathname)).to.equal("/Bauta:o'brien+x@example.org");
    expect(Object.fromEntries(uri.searchParams)).to.deep.equal({
      issuer: "Bauta",
      secret,
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
  });
});
