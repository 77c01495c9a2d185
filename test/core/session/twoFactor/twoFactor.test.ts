import { expect } from "chai";
import { isLeft, isRight, left } from "fp-ts/lib/Either.js";
import { unavailable } from "../../../../core/kernel/failure.ts";
import { createTwoFactor, type TwoFactor } from "../../../../core/session/twoFactor/twoFactor.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../../fakes/appOnFakes.ts";
import { createUser } from "../../../fakes/productServer.ts";
import { authenticatorCode, authenticatorSecret, recoveryCodesOf } from "../../../fakes/productTwoFactor.ts";
import { settled } from "../../../fakes/virtualClock.ts";

describe("Two-factor authentication", () => {
  let fakes: AppOnFakes;
  let twoFactor: TwoFactor;

  const begin = async (options: AppOnFakesOptions = {}): Promise<void> => {
    fakes = await startApp(options);
    twoFactor = fakes.signedIn().feature(createTwoFactor);
    await settled();
  };
  afterEach(() => fakes.stop());

  const enabled = { user: createUser("ada@example.org", { twoFactor: { enabled: true } }) };
  const at = (): string | undefined => twoFactor.flow$.value?.at;
  const toTheScan = async (): Promise<void> => {
    twoFactor.open("intro");
    await twoFactor.generate()();
  };

  it("is shown as on or off as soon as the account is loaded (SG1)", async () => {
    await begin();
    expect(twoFactor.isEnabled$.value).to.equal(false);
    fakes.stop();
    await begin(enabled);
    expect(twoFactor.isEnabled$.value).to.equal(true);
  });

  it("shows fewer recovery codes when one is used elsewhere, once their number is shown", async () => {
    await begin(enabled);
    fakes.sockets.latest().accept();
    const pushAccount = async (): Promise<void> => {
      const entity = fakes.app.account.account$.value;
      fakes.sockets
        .latest()
        .push({ type: "data_update", data: { resource: "account", action: "updated", entity } });
      await settled();
    };
    await pushAccount();
    expect(fakes.server.requestsTo("GET /account/2fa"), "the page is not open").to.have.length(0);
    await twoFactor.refresh()();
    expect(twoFactor.recoveryCodesLeft$.value).to.equal(10);
    fakes.server.on("GET", "/account/2fa", { json: { enabled: true, recoveryCodesLeft: 9 } });
    await pushAccount();
    expect(twoFactor.recoveryCodesLeft$.value).to.equal(9);
  });

  it("is set up, verified and switched off by the calls of the specification (SG6)", async () => {
    await begin();
    await toTheScan();
    await twoFactor.verify(authenticatorCode)();
    await twoFactor.disable(authenticatorCode)();
    const calls = ["POST /account/2fa/setup", "POST /account/2fa/verify", "DELETE /account/2fa"];
    expect(calls.map((name) => fakes.server.requestsTo(name).map(({ body }) => body))).to.deep.equal([
      [undefined],
      [{ code: authenticatorCode }],
      [{ code: authenticatorCode }],
    ]);
  });

  it("is set up from intro to scan to complete (SG2)", async () => {
    await begin();
    twoFactor.open("intro");
    expect(at()).to.equal("intro");
    expect(
      fakes.server.requestsTo("POST /account/2fa/setup"),
      "nothing is made before Continue",
    ).to.have.length(0);
    expect(isRight(await twoFactor.generate()())).to.equal(true);
    const scan = twoFactor.flow$.value;
    expect(scan).to.include({ at: "scan", secret: authenticatorSecret });
    expect(scan?.at === "scan" && scan.qrCode?.size).to.equal(41);
    expect(isRight(await twoFactor.verify(authenticatorCode)())).to.equal(true);
    expect(twoFactor.flow$.value).to.deep.equal({
      at: "complete",
      recoveryCodes: recoveryCodesOf(0),
      areKept: false,
    });
    expect(twoFactor.isEnabled$.value).to.equal(true);
    expect(twoFactor.recoveryCodesLeft$.value).to.equal(10);
    await settled();
    expect(fakes.app.account.account$.value?.twoFactor.enabled, "the account knows it, too").to.equal(true);
  });

  it("keeps showing recovery codes until the user confirms to have stored them", async () => {
    await begin();
    await toTheScan();
    await twoFactor.verify(authenticatorCode)();
    twoFactor.close();
    expect(at()).to.equal("complete");
    twoFactor.setKept(true);
    twoFactor.setKept(false);
    twoFactor.close();
    expect(at()).to.equal("complete");
    twoFactor.setKept(true);
    twoFactor.close();
    expect(twoFactor.flow$.value).to.equal(null);
  });

  it("returns from the scan to the intro, and can be closed from both", async () => {
    await begin();
    await toTheScan();
    twoFactor.back();
    expect(at()).to.equal("intro");
    twoFactor.close();
    expect(twoFactor.flow$.value).to.equal(null);
    await toTheScan();
    twoFactor.close();
    expect(twoFactor.flow$.value).to.equal(null);
    expect(twoFactor.isEnabled$.value).to.equal(false);
  });

  it("stays on the step the user has chosen while the secret was loading", async () => {
    await begin();
    twoFactor.open("intro");
    const pending = twoFactor.generate()();
    twoFactor.close();
    await pending;
    expect(twoFactor.flow$.value).to.equal(null);
  });

  it("can be set up by typing where no QR code can be drawn", async () => {
    await begin({
      before: ({ ports }) => {
        Object.assign(ports, { qrCode: () => async () => left(unavailable("offline")) });
      },
    });
    await toTheScan();
    expect(twoFactor.flow$.value).to.include({ at: "scan", secret: authenticatorSecret, qrCode: null });
  });

  for (const answer of [{ secret: "GEZDGNBV" }, { uri: "otpauth://totp/x" }, {}, { secret: "", uri: "" }])
    it(`shows "Missing required data from server" for ${JSON.stringify(answer)} (SG2)`, async () => {
      await begin();
      fakes.server.on("POST", "/account/2fa/setup", { json: answer });
      twoFactor.open("intro");
      const outcome = await twoFactor.generate()();
      expect(isLeft(outcome) && outcome.left.message).to.equal("Missing required data from server");
      expect(at()).to.equal("intro");
    });

  it("shows the specification's messages where the server sends none (SG2)", async () => {
    await begin(enabled);
    for (const [method, path] of [
      ["POST", "/account/2fa/setup"],
      ["POST", "/account/2fa/verify"],
      ["DELETE", "/account/2fa"],
    ] as const)
      fakes.server.on(method, path, { status: 400 });
    const sentences = [];
    for (const task of [
      twoFactor.generate(),
      twoFactor.verify(authenticatorCode),
      twoFactor.disable(authenticatorCode),
    ]) {
      const outcome = await task();
      sentences.push(isLeft(outcome) && outcome.left.message);
    }
    expect(sentences).to.deep.equal([
      "Failed to set up two-factor authentication",
      "Failed to verify code",
      "Failed to disable two-factor authentication",
    ]);
  });

  for (const [typed, sentence] of [
    ["", "2FA code is required"],
    ["12345", "2FA code must be 6 digits"],
  ] as const)
    it(`shows "${sentence}" for "${typed}", and sends nothing (SI4)`, async () => {
      await begin();
      await toTheScan();
      const outcome = await twoFactor.verify(typed)();
      expect(isLeft(outcome) && outcome.left.fields).to.deep.equal([{ field: "code", message: sentence }]);
      expect(fakes.server.requestsTo("POST /account/2fa/verify")).to.have.length(0);
    });

  it("stays off after a wrong code, with the server's message beside it", async () => {
    await begin();
    await toTheScan();
    const outcome = await twoFactor.verify("111111")();
    expect(isLeft(outcome) && [outcome.left.message, outcome.left.fields]).to.deep.equal([
      "",
      [{ field: "code", message: "This code is not right." }],
    ]);
    expect([at(), twoFactor.isEnabled$.value]).to.deep.equal(["scan", false]);
  });

  it("verifies once when the button is pressed twice", async () => {
    await begin();
    await toTheScan();
    const [one, other] = await Promise.all([
      twoFactor.verify(authenticatorCode)(),
      twoFactor.verify(authenticatorCode)(),
    ]);
    expect(isRight(one)).to.equal(true);
    expect(isLeft(other) && other.left.failure.kind).to.equal("busy");
    expect(fakes.server.requestsTo("POST /account/2fa/verify")).to.have.length(1);
  });

  it("is switched off with a code, and shows a toast", async () => {
    for (const code of [authenticatorCode, recoveryCodesOf(0)[2] ?? ""]) {
      await begin(enabled);
      twoFactor.open("disable");
      expect(isLeft(await twoFactor.disable("111111")())).to.equal(true);
      expect(at()).to.equal("disable");
      expect(isRight(await twoFactor.disable(code)())).to.equal(true);
      expect([twoFactor.flow$.value, twoFactor.isEnabled$.value]).to.deep.equal([null, false]);
      expect(fakes.app.toasts.list$.value.map(({ text }) => text)).to.deep.equal([
        "Two-factor authentication is off",
      ]);
      fakes.stop();
    }
  });

  it("replaces the recovery codes after a code", async () => {
    await begin(enabled);
    await twoFactor.refresh()();
    expect(twoFactor.recoveryCodesLeft$.value).to.equal(10);
    twoFactor.open("renew");
    await twoFactor.renew(authenticatorCode)();
    expect(twoFactor.flow$.value).to.deep.equal({
      at: "renewed",
      recoveryCodes: recoveryCodesOf(0),
      areKept: false,
    });
  });

  it("works without the number of recovery codes where the server does not send it", async () => {
    await begin(enabled);
    fakes.server.on("GET", "/account/2fa", { status: 404 });
    expect(isRight(await twoFactor.refresh()())).to.equal(true);
    expect(twoFactor.recoveryCodesLeft$.value).to.equal(null);
  });

  it("copies the secret, and shows so for 2 s", async () => {
    await begin();
    await twoFactor.copy(authenticatorSecret)();
    expect(fakes.page.clipboard()).to.equal(authenticatorSecret);
    expect(twoFactor.copied$.value).to.equal(authenticatorSecret);
    await fakes.clock.advance(2_000);
    expect(twoFactor.copied$.value).to.equal(null);
    fakes.page.refuseCopies();
    await twoFactor.copy(authenticatorSecret)();
    expect(fakes.app.toasts.list$.value.map(({ text }) => text)).to.deep.equal([
      "Failed to copy to clipboard",
    ]);
  });

  it("drops secret and codes with the session", async () => {
    await begin();
    await toTheScan();
    await twoFactor.verify(authenticatorCode)();
    await fakes.app.session.logOut()();
    expect([twoFactor.flow$.value, twoFactor.isEnabled$.value]).to.deep.equal([null, null]);
    expect(JSON.stringify(fakes.storage.local.keys())).not.to.include("aaaa");
  });
});
