import { expect } from "chai";
import { isRight } from "fp-ts/lib/Either.js";
import { createProfile, type Profile } from "../../../core/account/profile.ts";
import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import { type AppOnFakes, createTestApp, startApp } from "../../fakes/appOnFakes.ts";
import { createFakePorts } from "../../fakes/fakePorts.ts";
import { newAddressCode } from "../../fakes/productProfile.ts";
import { createMask, createUser } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

const old = "ada@example.org";
const fresh = "ada.new@example.org";
const proof = { code: newAddressCode, twoFactorCode: "", moveMasks: true };

const profileOf = async ({ signedIn }: Pick<AppOnFakes, "signedIn">): Promise<Profile> => {
  const profile = signedIn().feature(createProfile);
  await settled();
  return profile;
};
const signedInAs = ({ app }: Pick<AppOnFakes, "app">): string | null => {
  const { value } = app.session.state$;
  return value.kind === "signed-in" ? value.user.email : null;
};

describe("A new address for the account (AC4)", () => {
  let fakes: AppOnFakes;
  let profile: Profile;

  beforeEach(async () => {
    fakes = await startApp({ masks: [createMask("m1")] });
    profile = await profileOf(fakes);
  });
  afterEach(() => fakes.stop());

  const change = async (): Promise<void> => {
    expect(isRight(await profile.request(fresh)())).to.equal(true);
    expect(isRight(await profile.confirm(proof)())).to.equal(true);
    await settled();
  };

  it("needs a code first, and nothing changes before it", async () => {
    await profile.request(` ${fresh} `)();
    expect(profile.step$.value).to.deep.equal({ step: "code", email: fresh, resendInSeconds: 30 });
    expect(fakes.server.requestsTo("PUT /account/profile")[0]?.body).to.deep.equal({ email: fresh });
    expect(signedInAs(fakes)).to.equal(old);
  });

  it("is stored once it is verified, and the app keeps running with it", async () => {
    await change();
    expect(fakes.server.requestsTo("PUT /account/profile")[1]?.body).to.deep.equal({
      email: fresh,
      code: newAddressCode,
      moveMasks: true,
    });
    expect(signedInAs(fakes)).to.equal(fresh);
    const { local, tab } = fakes.storage;
    expect(local.read("userEmail")).to.equal(fresh);
    for (const stored of [local.read("userData"), tab.read("userData")])
      expect(JSON.parse(stored ?? "{}")).to.have.property("email", fresh);
    expect(fakes.app.account.account$.value?.email).to.equal(fresh);
    expect(fakes.app.masks.view$.value.all.map(({ forwardTo }) => forwardTo)).to.deep.equal([fresh]);
    expect(profile.step$.value).to.deep.equal({ step: "done", email: fresh });
    expect(fakes.app.toasts.list$.value.map(({ text }) => text)).to.deep.equal([
      `The address of your account is now ${fresh}`,
    ]);
  });

  it("keeps the data of this browser, so that unsent rules are sent and remain the user's own", async () => {
    const { server, storage, clock, signedIn } = fakes;
    signedIn().feature(createRulesAndSync);
    storage.local.write("appliedSuggestions", JSON.stringify({ owner: old, marks: [] }));
    storage.local.write("dismissedSuggestions", JSON.stringify({ owner: "eve@example.org", marks: [] }));
    storage.local.write(
      "pendingRulesSync",
      JSON.stringify({
        owner: old,
        masks: {
          m1: {
            rules: [],
            base: { etag: null, rules: [] },
            timestamp: 1,
            attempts: 0,
            lastAttempt: null,
            lastError: null,
            sent: { requestId: "r1", rules: [] },
          },
        },
      }),
    );
    await change();
    const ownerOf = (key: string): unknown => JSON.parse(storage.local.read(key) ?? "{}").owner;
    expect(ownerOf("pendingRulesSync")).to.equal(fresh);
    expect(ownerOf("appliedSuggestions")).to.equal(fresh);
    expect(ownerOf("dismissedSuggestions"), "somebody else's").to.equal("eve@example.org");
    expect(storage.local.read("cached_account") ?? "").not.to.include(old);
    await clock.advance(120_000);
    expect(server.requestsTo("PUT /masks/m1")[0]?.headers).to.have.property("x-request-id", "r1");
    expect(storage.local.read("pendingRulesSync"), "all is saved").to.equal(null);
  });

  it("keeps the private keys of this device, and reports when they could not be moved", async () => {
    const { ports, storage, keys, app } = fakes;
    await ports.keyring.create(old)();
    storage.local.write("keyOwner", old);
    await change();
    expect(await ports.keyring.list(fresh)()).to.have.nested.property("right.length", 1);
    expect(storage.local.read("keyOwner")).to.equal(fresh);

    keys.refuseAll("unavailable");
    await profile.request("ada.third@example.org")();
    await profile.confirm(proof)();
    await settled();
    expect(signedInAs(fakes)).to.equal("ada.third@example.org");
    expect(app.toasts.list$.value.map(({ text }) => text)).to.include(
      "The private keys on this device do not fit your new address. Import their backup in Settings.",
    );
  });

  it("is adopted by the other tabs of the browser", async () => {
    const other = createFakePorts({
      storage: fakes.storage.openTab(),
      tabs: fakes.tabs.openTab(),
      clock: fakes.clock,
      server: fakes.server,
      seed: 2,
    });
    const { app } = createTestApp(other.ports, {
      configuration: { brand: "Bauta", maskDomain: "masks.example" },
    });
    const stop = app.start();
    await settled();
    await change();
    expect(signedInAs({ app })).to.equal(fresh);
    expect(app.account.account$.value?.email).to.equal(fresh);
    expect(JSON.parse(other.storage.tab.read("userData") ?? "{}")).to.have.property("email", fresh);
    stop();
  });

  it("is adopted after a change on another device, for the same user's account only", async () => {
    const { server, app, storage } = fakes;
    server.on("GET", "/account", { json: createUser("eve@example.org", { id: "user-2" }) });
    await app.account.refresh()();
    expect(signedInAs(fakes), "somebody else's account").to.equal(old);
    server.on("GET", "/account", { json: createUser(fresh) });
    await app.account.refresh()();
    await settled();
    expect(signedInAs(fakes)).to.equal(fresh);
    expect(storage.local.read("userEmail")).to.equal(fresh);
    expect(app.account.account$.value?.email).to.equal(fresh);
  });

  it("is changed at once where the server requires no code", async () => {
    fakes.server.on("PUT", "/account/profile", { json: {} });
    await profile.request(fresh)();
    expect(signedInAs(fakes)).to.equal(fresh);
  });

  it("shows an invalid value beside its field, before anything is sent", async () => {
    for (const typed of ["", "no address"])
      expect(problemFrom(await profile.request(typed)()).fields[0]?.field).to.equal("email");
    expect(fakes.server.requestsTo("PUT /account/profile")).to.have.length(0);
    await profile.request(fresh)();
    const { fields } = problemFrom(await profile.confirm({ ...proof, code: "12" })());
    expect(fields).to.deep.equal([{ field: "code", message: "Verification code must be 6 digits" }]);
    expect(fakes.server.requestsTo("PUT /account/profile")).to.have.length(1);
    const wrong = problemFrom(await profile.confirm({ ...proof, code: "111111" })());
    expect(wrong.fields[0]?.field).to.equal("code");
    expect(signedInAs(fakes)).to.equal(old);
  });

  it('shows "Failed to update profile" where the server sends no message', async () => {
    fakes.server.on("PUT", "/account/profile", { status: 400 });
    expect(problemFrom(await profile.request(fresh)()).message).to.equal("Failed to update profile");
  });

  it("sends another code after 30 s", async () => {
    await profile.request(fresh)();
    expect(problemFrom(await profile.resend()()).failure.kind).to.equal("busy");
    await fakes.clock.advance(29_000);
    expect(profile.step$.value).to.have.property("resendInSeconds", 1);
    await fakes.clock.advance(1_000);
    expect(isRight(await profile.resend()())).to.equal(true);
    expect(profile.step$.value).to.have.property("resendInSeconds", 30);
    expect(fakes.server.requestsTo("PUT /account/profile")).to.have.length(2);
    profile.startOver();
    expect(profile.step$.value).to.deep.equal({ step: "address" });
  });

  it("requires the second factor of an account that has one", async () => {
    fakes.stop();
    fakes = await startApp({ user: createUser(old, { twoFactor: { enabled: true } }) });
    profile = await profileOf(fakes);
    await profile.request(fresh)();
    const missing = problemFrom(await profile.confirm(proof)());
    expect(missing.fields).to.deep.equal([{ field: "twoFactorCode", message: "2FA code is required" }]);
    expect(isRight(await profile.confirm({ ...proof, twoFactorCode: "654321" })())).to.equal(true);
    expect(signedInAs(fakes)).to.equal(fresh);
  });

  it("is requested once at a time, and dropped at logout", async () => {
    fakes.server.on("PUT", "/account/profile", { json: { pendingEmail: fresh }, afterMs: 100 });
    const asking = profile.request(fresh)();
    expect(problemFrom(await profile.request(fresh)()).failure.kind).to.equal("busy");
    await fakes.clock.advance(100);
    await asking;
    expect(profile.step$.value.step).to.equal("code");
    await fakes.app.session.logOut()();
    expect(profile.step$.value.step).to.equal("address");
  });
});
