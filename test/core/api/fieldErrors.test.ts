import { expect } from "chai";
import fc from "fast-check";
import type * as t from "io-ts";
import { fieldErrorsOf } from "../../../core/api/fieldErrors.ts";
import { NewMask } from "../../../core/masks/mask.ts";
import * as session from "../../../core/session/sessionEndpoints.ts";

const errorsOf = <A>(codec: t.Type<A, unknown, unknown>, value: unknown) => {
  const decoded = codec.decode(value);
  return decoded._tag === "Left" ? fieldErrorsOf(decoded.left) : [];
};

describe("The validation errors of a request body", () => {
  it("name each field once, by its path, in the codec's order", () => {
    const errors = errorsOf(NewMask, { description: "", forwardTo: 7, settings: { spamFilter: "yes" } });
    expect(errors).to.deep.equal([
      { field: "description", message: "Description is required" },
      { field: "forwardTo", message: "Please enter a valid email address" },
      { field: "settings.spamFilter", message: "Expected boolean" },
    ]);
  });

  it("use the specification's messages for an empty sign-in", () => {
    expect(errorsOf(session.requestCode.body, {})).to.deep.equal([
      { field: "email", message: "Email is required" },
    ]);
    expect(errorsOf(session.verifyCode.body, { email: "a@b.example", otp: 123456 })).to.deep.equal([
      { field: "otp", message: "Verification code is required" },
    ]);
  });

  it("never repeat the submitted values", () => {
    fc.assert(
      fc.property(fc.anything(), fc.stringMatching(/^[A-Za-z]{12,20}$/), (anything, secret) => {
        for (const body of [
          anything,
          { description: [secret], forwardTo: { secret }, customPrefix: `${secret}!` },
        ]) {
          for (const { message } of errorsOf(NewMask, body)) expect(message).to.not.include(secret);
        }
      }),
    );
  });

  it("have one message for each field, without duplicates", () => {
    fc.assert(
      fc.property(
        fc.record({ description: fc.anything(), forwardTo: fc.anything(), active: fc.anything() }),
        (body) => {
          const fields = errorsOf(NewMask, body).map(({ field }) => field);
          expect(new Set(fields)).to.have.property("size", fields.length);
        },
      ),
    );
  });
});
