import { expect } from "chai";
import { errorMessage, type Operation } from "../../../core/api/errorMessages.ts";
import * as failures from "../../../core/kernel/failure.ts";

/** The catalog: operation, message in the form, message in the toast. */
const catalogue: readonly (readonly [Operation, string, string])[] = [
  ["requestCode", "Failed to send verification code", "Failed to send verification code"],
  ["resendCode", "Failed to resend verification code", "Failed to resend verification code"],
  ["verifyCode", "Invalid verification code", "Invalid verification code"],
  ["verifyTwoFactor", "Invalid 2FA code", "Invalid 2FA code"],
  ["checkUserExists", "Failed to check if user exists", "Failed to check if user exists"],
  ["getAccount", "Failed to get account data", "Failed to get account data"],
  ["listMasks", "Failed to get email masks", "Failed to get email masks"],
  ["getMask", "Failed to get email mask", "Failed to get email mask"],
  ["createMask", "Failed to create email mask", "Failed to create mask"],
  ["editMask", "Failed to update email mask", "Failed to update mask"],
  ["activateMask", "Failed to activate mask", "Failed to activate mask"],
  ["deactivateMask", "Failed to deactivate mask", "Failed to deactivate mask"],
  ["setMaskStatus", "Failed to update mask status", "Failed to update mask status"],
  ["removeMask", "Failed to delete email mask", "Failed to delete mask"],
  ["getMaskStatistics", "Failed to get mask statistics", "Failed to get mask statistics"],
  ["updateMaskRules", "Failed to update mask rules", "Failed to update mask rules"],
  ["copyAddress", "Failed to copy to clipboard", "Failed to copy to clipboard"],
];

describe("The error message for a failure", () => {
  for (const [operation, here, toast] of catalogue) {
    describe(`of ${operation}`, () => {
      it(`is "${here}" where the server sends no message, and "${toast}" in a toast`, () => {
        expect(errorMessage(operation, failures.refused(400))).to.equal(here);
        expect(errorMessage(operation, failures.refused(400), "toast")).to.equal(toast);
      });

      it("is the server's own message where there is one", () => {
        expect(errorMessage(operation, failures.refused(422, "Not today."))).to.equal("Not today.");
        expect(errorMessage(operation, failures.refused(401, "Not you."), "toast")).to.equal("Not you.");
      });

      it("says that the server is broken, and that the team was notified where it was", () => {
        expect(errorMessage(operation, failures.refused(500, "Out of disk"))).to.equal(
          "Server error: Out of disk.",
        );
        expect(errorMessage(operation, { ...failures.refused(500, "Out of disk"), reported: true })).to.equal(
          "Server error: Out of disk. Our team has been notified.",
        );
        expect(errorMessage(operation, failures.refused(599))).to.equal(
          "The server has a problem. Try again in a minute.",
        );
        expect(errorMessage(operation, { ...failures.refused(599), reported: true })).to.equal(
          "Server error: Server error. Our team has been notified.",
        );
      });

      it("is empty for an ignored repetition, or when every message is shown beside its field", () => {
        const field = { field: "email", message: "Email is required" };
        expect(errorMessage(operation, failures.busy)).to.equal("");
        expect(errorMessage(operation, failures.invalid([field]))).to.equal("");
        expect(errorMessage(operation, failures.refused(400, field.message, [field]))).to.equal("");
        expect(errorMessage(operation, failures.refused(400, "Two things are wrong.", [field]))).to.equal(
          "Two things are wrong.",
        );
      });
    });
  }

  const reaching = catalogue.filter(
    ([operation]) => operation !== "listMasks" && operation !== "copyAddress",
  );
  for (const [operation] of reaching) {
    it(`of ${operation} without an answer names the connection as the cause`, () => {
      for (const failure of [failures.network("Failed to fetch"), failures.timeout(15_000)])
        expect(errorMessage(operation, failure)).to.equal("Connection issue. Please try again later.");
    });
  }

  it("of the list of masks without an answer names what is missing", () => {
    expect(errorMessage("listMasks", failures.network("Failed to fetch"))).to.equal(
      "Failed to get email masks",
    );
  });

  it('of a sign-in with an unreadable answer is "Invalid login response"', () => {
    for (const operation of ["verifyCode", "verifyTwoFactor", "signUp"] as const)
      expect(errorMessage(operation, failures.unreadable("x", []))).to.equal("Invalid login response");
  });

  it("of a token refresh names the status, whatever the server sends, and the failure when there is no status", () => {
    for (const status of [401, 404, 429, 500])
      expect(errorMessage("refreshSession", failures.refused(status, "No."))).to.equal(
        `Token refresh failed with status: ${status}`,
      );
    expect(errorMessage("refreshSession", failures.unreadable("x", []))).to.equal(
      "Invalid response from token refresh endpoint",
    );
    expect(errorMessage("refreshSession", failures.unavailable("attempts"))).to.equal(
      "Token refresh failed after max attempts",
    );
  });

  it("of a validation says that the token is not valid", () => {
    expect(errorMessage("validateSession", failures.refused(401))).to.equal("Invalid or expired token");
  });

  it("of too many requests says so, unless the server sends a message", () => {
    const tooMany = "Too many requests. Please try again in a moment.";
    expect(errorMessage("createMask", failures.refused(429))).to.equal(tooMany);
    expect(errorMessage("createMask", failures.refused(429, "One code a minute."))).to.equal(
      "One code a minute.",
    );
  });

  it("is not repeated in a second toast, and stays beside the form", () => {
    for (const failure of [
      failures.network("Failed to fetch"),
      failures.timeout(15_000),
      failures.refused(500, "Out of disk"),
      failures.refused(429),
      failures.refused(401),
    ]) {
      const notified = { ...failure, userNotified: true } as failures.Failure;
      expect(errorMessage("createMask", failure, "toast")).to.not.equal("");
      expect(errorMessage("createMask", notified, "toast")).to.equal("");
      expect(errorMessage("createMask", notified)).to.equal(errorMessage("createMask", failure));
    }
  });

  it("of an operation outside the catalog names the status", () => {
    expect(errorMessage("signUp", failures.refused(409))).to.equal("Request failed with status 409");
    expect(errorMessage("signUp", failures.refused(401))).to.equal("Authentication failed");
  });

  it("does not double the server's full stop", () => {
    expect(errorMessage("signUp", failures.refused(503, "Busy."))).to.equal("Server error: Busy.");
  });
});
