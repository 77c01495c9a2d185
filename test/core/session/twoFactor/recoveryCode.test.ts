import { expect } from "chai";
import fc from "fast-check";
import { isLeft, isRight, right } from "fp-ts/lib/Either.js";
import { SecondFactor } from "../../../../core/session/oneTimeCode.ts";
import {
  parseRecoveryCode,
  RecoveryCode,
  recoveryAlphabet,
  withRecoveryCode,
} from "../../../../core/session/twoFactor/recoveryCode.ts";

const code = fc
  .string({ unit: fc.constantFrom(...recoveryAlphabet), minLength: 10, maxLength: 10 })
  .map((drawn) => `${drawn.slice(0, 5)}-${drawn.slice(5)}`);

describe("A recovery code", () => {
  it("is accepted in any case, with its hyphen, a space or neither, and with letters for digits that look like them", () => {
    for (const typed of ["k3v9d-8m2qa", " K3V9D 8M2QA ", "k3v9d8m2qa", "K3V9D-8M2QA"])
      expect(parseRecoveryCode(typed)).to.equal("k3v9d-8m2qa");
    expect(parseRecoveryCode("o0il1-abcde")).to.equal("00111-abcde");
  });

  it("is rejected when it is longer, shorter or has other letters", () => {
    for (const typed of ["", "123456", "k3v9d-8m2q", "k3v9d-8m2qaa", "k3v9d-8m2qu", "k3v9d_8m2qa"])
      expect(parseRecoveryCode(typed), typed).to.equal(null);
  });

  it("reaches the server unchanged", () => {
    fc.assert(
      fc.property(code, (any) => {
        expect(parseRecoveryCode(any.toUpperCase())).to.equal(any);
        expect(RecoveryCode.decode(any)).to.deep.equal(right(any));
        expect(SecondFactor.decode(any)).to.deep.equal(right(any));
      }),
    );
  });

  for (const [typed, sentence] of [
    ["", "Recovery code is required"],
    ["123456", "A recovery code has 10 letters and digits, as in k3v9d-8m2qa"],
  ] as const)
    it(`shows "${sentence}" for "${typed}", and nothing is sent`, async () => {
      const refused = await withRecoveryCode(() => {
        throw new Error("sent");
      })(typed)();
      expect(isLeft(refused) && refused.left.fields).to.deep.equal([{ field: "code", message: sentence }]);
    });

  it("is sent as it was displayed", async () => {
    const sent: string[] = [];
    const verify = withRecoveryCode((one) => async () => {
      sent.push(one);
      return right(undefined);
    });
    expect(isRight(await verify("K3V9D 8M2QA")())).to.equal(true);
    expect(sent).to.deep.equal(["k3v9d-8m2qa"]);
  });
});
