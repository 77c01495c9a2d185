import { expect } from "chai";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { storedKeys } from "../../../../core/storage/storedKeys.ts";
import { startApp } from "../../../fakes/appOnFakes.ts";
import { createUser, rightCode, rightTwoFactorCode, tokenOf } from "../../../fakes/productServer.ts";
import { settled, startsAt } from "../../../fakes/virtualClock.ts";
import { problemFrom } from "../../problems.ts";

const newcomer = { isSignedIn: false, path: "/login" } as const;

const atCode = async (options: Parameters<typeof startApp>[0] = {}) => {
  const started = await startApp({ ...newcomer, ...options });
  await started.app.signIn.requestCode("ada@example.org")();
  await started.clock.advance(500);
  return started;
};

describe("Signing in", () => {
  it("asks for the e-mail address first", async () => {
    const { app } = await startApp(newcomer);
    expect(app.signIn.step$.value).to.deep.equal({ step: "email", email: "" });
  });

  it("shows an invalid address beside its field, and sends nothing", async () => {
    const { app, server, clock } = await startApp(newcomer);
    const empty = problemFrom(await app.signIn.requestCode("  ")());
    await clock.advance(500);
    const broken = problemFrom(await app.signIn.requestCode("ada@")());
    expect(empty.fields).to.deep.equal([{ field: "email", message: "Email is required" }]);
    expect(broken.fields).to.deep.equal([{ field: "email", message: "Please enter a valid email address" }]);
    expect([empty.message, broken.message]).to.deep.equal(["", ""]);
    expect(server.requestsTo("POST /login")).to.have.length(0);
  });

  it("continues with the code once it was sent", async () => {
    const { app, server } = await startApp(newcomer);
    expect(isRight(await app.signIn.requestCode(" ada@example.org ")())).to.equal(true);
    expect(server.requestsTo("POST /login")[0]?.body).to.deep.equal({ email: "ada@example.org" });
    expect(app.signIn.step$.value).to.deep.equal({
      step: "code",
      email: "ada@example.org",
      resendInSeconds: 30,
    });
  });

  it("sends address and code HTML-escaped", async () => {
    const { app, server, clock } = await startApp(newcomer);
    await app.signIn.requestCode("o'brien&co@example.org")();
    await clock.advance(500);
    await app.signIn.verifyCode(rightCode)();
    expect(server.requestsTo("POST /login")[0]?.body).to.deep.equal({
      email: "o&#39;brien&amp;co@example.org",
    });
    expect(server.requestsTo("PUT /login")[0]?.body).to.deep.equal({
      email: "o&#39;brien&amp;co@example.org",
      otp: rightCode,
    });
  });

  it("shows an invalid code beside its field, and sends nothing", async () => {
    const { app, server, clock } = await atCode();
    const sentences: string[] = [];
    for (const typed of ["", "12345", "1234567", "12345a", "١٢٣٤٥٦"]) {
      sentences.push(problemFrom(await app.signIn.verifyCode(typed)()).fields[0]?.message ?? "");
      await clock.advance(500);
    }
    expect(sentences).to.deep.equal([
      "Verification code is required",
      ...Array(4).fill("Verification code must be 6 digits"),
    ]);
    expect(server.requestsTo("PUT /login")).to.have.length(0);
  });

  it("succeeds with the right code: session stored for 7 days, a toast, the page at /", async () => {
    const { app, storage, page } = await atCode();
    expect(isRight(await app.signIn.verifyCode(rightCode)())).to.equal(true);
    const user = createUser("ada@example.org");
    const signedInAt = startsAt + 500;
    expect(app.session.state$.value).to.deep.equal({ kind: "signed-in", user });
    expect(storage.local.read("authToken")).to.equal(tokenOf("ada@example.org"));
    expect(storage.local.read("userEmail")).to.equal("ada@example.org");
    expect(JSON.parse(storage.local.read("userData") ?? "")).to.deep.equal(user);
    expect(JSON.parse(storage.tab.read("userData") ?? "")).to.deep.equal(user);
    expect(storage.local.read("tokenExpiry")).to.equal(String(signedInAt + 604_800_000));
    expect(storage.local.read("lastValidated")).to.equal(String(signedInAt));
    expect(storage.local.read("lastLoginTime")).to.equal(String(signedInAt));
    expect(app.toasts.list$.value.map(({ kind, text }) => [kind, text])).to.deep.equal([
      ["success", "Logged in successfully"],
    ]);
    expect(page.path$.value).to.equal("/");
    expect(app.signIn.step$.value).to.deep.equal({ step: "email", email: "" });
  });

  it("keeps the address that was typed where the answer leaves it out", async () => {
    const { app, server, storage } = await atCode();
    const { email, ...nameless } = createUser("ada@example.org");
    server.on("PUT", "/login", { json: { token: tokenOf(email), user: nameless } });
    expect(isRight(await app.signIn.verifyCode(rightCode)())).to.equal(true);
    expect(app.session.state$.value).to.have.nested.property("user.email", email);
    expect(storage.local.read("userEmail")).to.equal(email);
  });

  it("stores the user object for the tab under the configured name", async () => {
    const { app, storage } = await atCode({ settings: { userDataInTab: "bauta.user" } });
    await app.signIn.verifyCode(rightCode)();
    expect(storage.tab.keys()).to.deep.equal(["bauta.user"]);
  });

  it("shows the server's message for a wrong code, else 'Invalid verification code'", async () => {
    const { app, server, clock } = await atCode();
    expect(problemFrom(await app.signIn.verifyCode("999999")()).message).to.equal("This code is wrong");
    await clock.advance(500);
    server.on("PUT", "/login", { status: 401 });
    expect(problemFrom(await app.signIn.verifyCode("999999")()).message).to.equal(
      "Invalid verification code",
    );
    expect(app.signIn.step$.value.step).to.equal("code");
  });

  for (const json of [{}, { token: "a.b.c" }, { status: "who_knows" }, { token: 7, user: null }, []]) {
    it(`shows "Invalid login response" for ${JSON.stringify(json)}`, async () => {
      const { app, server } = await atCode();
      server.on("PUT", "/login", { json });
      expect(problemFrom(await app.signIn.verifyCode(rightCode)()).message).to.equal(
        "Invalid login response",
      );
      expect(app.session.state$.value.kind).to.equal("signed-out");
    });
  }

  it("shows 'Failed to send verification code' where the server sends no message", async () => {
    const { app, server } = await startApp(newcomer);
    server.on("POST", "/login", { status: 400 });
    expect(problemFrom(await app.signIn.requestCode("ada@example.org")()).message).to.equal(
      "Failed to send verification code",
    );
    expect(app.signIn.step$.value.step).to.equal("email");
  });

  it("fails with a message where the browser stores nothing", async () => {
    const { app, storage } = await atCode();
    storage.local.write("filler", "x".repeat(4_999_900));
    expect(problemFrom(await app.signIn.verifyCode(rightCode)()).message).to.equal(
      "Login failed. Allow this site to keep data in your browser, then try again.",
    );
    expect(app.session.state$.value.kind).to.equal("signed-out");
    for (const { name } of [storedKeys.authToken, storedKeys.userEmail, storedKeys.userData])
      expect(storage.local.read(name), name).to.equal(null);
  });

  describe("with two factors", () => {
    const secured = { user: createUser("ada@example.org", { twoFactor: { enabled: true } }) };
    const atTwoFactor = async () => {
      const started = await atCode(secured);
      await started.app.signIn.verifyCode(rightCode)();
      await started.clock.advance(500);
      return started;
    };

    it("asks for the second code and sends it with the ticket", async () => {
      const { app, server } = await atTwoFactor();
      expect(app.signIn.step$.value).to.deep.equal({ step: "two-factor", email: "ada@example.org" });
      await app.signIn.verifyTwoFactor(rightTwoFactorCode)();
      expect(server.requestsTo("POST /login/verify2fa")[0]?.body).to.deep.equal({
        email: "ada@example.org",
        code: rightTwoFactorCode,
        tempToken: "ticket",
      });
      expect(app.session.state$.value.kind).to.equal("signed-in");
    });

    it("shows an invalid second code beside its field", async () => {
      const { app, clock } = await atTwoFactor();
      const empty = problemFrom(await app.signIn.verifyTwoFactor("")());
      await clock.advance(500);
      const short = problemFrom(await app.signIn.verifyTwoFactor("12")());
      expect(empty.fields).to.deep.equal([{ field: "code", message: "2FA code is required" }]);
      expect(short.fields).to.deep.equal([{ field: "code", message: "2FA code must be 6 digits" }]);
    });

    it("shows 'Invalid 2FA code' where the server sends no message", async () => {
      const { app, server } = await atTwoFactor();
      server.on("POST", "/login/verify2fa", { status: 400 });
      expect(problemFrom(await app.signIn.verifyTwoFactor("111111")()).message).to.equal("Invalid 2FA code");
    });
  });

  describe("for the first time", () => {
    const atPlan = async (options: Parameters<typeof startApp>[0] = {}) => {
      const started = await atCode({ isNew: true, ...options });
      await started.app.signIn.verifyCode(rightCode)();
      await started.clock.advance(500);
      return started;
    };

    it("offers the plans, and Free opens the account at once", async () => {
      const { app, server } = await atPlan();
      expect(app.signIn.step$.value).to.deep.equal({ step: "plan", email: "ada@example.org" });
      await app.signIn.choosePlan("free")();
      expect(server.requestsTo("POST /signup")[0]?.body).to.deep.equal({ tempToken: "ticket", tier: "free" });
      expect(app.session.state$.value.kind).to.equal("signed-in");
      expect(app.toasts.list$.value.map(({ text }) => text)).to.deep.equal(["Logged in successfully"]);
    });

    it("shows that payment is not set up when a paid plan is chosen, and stays on the page", async () => {
      const { app, server } = await atPlan();
      expect(problemFrom(await app.signIn.choosePlan("pro")()).message).to.equal(
        "Payment is not set up on this server. Choose the Free plan to continue.",
      );
      expect(server.requestsTo("POST /signup")).to.have.length(0);
      expect(app.signIn.step$.value.step).to.equal("plan");
    });

    it("requests a paid plan from the server where payments are on", async () => {
      const flags = { payments: true };
      const settings = { configuration: { brand: "Bauta", maskDomain: "masks.example", flags } };
      const { app, server } = await atPlan({ settings });
      await app.signIn.choosePlan("pro")();
      expect(server.requestsTo("POST /signup")[0]?.body).to.deep.equal({ tempToken: "ticket", tier: "pro" });
    });

    it("returns to the code entry on cancel, where another code can be sent at once, since this one is used", async () => {
      const { app, server, clock } = await atPlan();
      app.signIn.cancelPlan();
      expect(app.signIn.step$.value).to.deep.equal({
        step: "code",
        email: "ada@example.org",
        resendInSeconds: 0,
        isCodeUsed: true,
      });
      await clock.advance(1_000);
      expect(isRight(await app.signIn.resend()())).to.equal(true);
      expect(server.requestsTo("POST /login")).to.have.length(2);
      expect(app.signIn.step$.value).to.deep.equal({
        step: "code",
        email: "ada@example.org",
        resendInSeconds: 30,
      });
    });

    it("shows 'Authentication failed' when the ticket has expired and the server sends no message", async () => {
      const { app, server, clock } = await atPlan();
      server.on("POST", "/signup", { status: 401 });
      expect(problemFrom(await app.signIn.choosePlan("free")()).message).to.equal("Authentication failed");
      await clock.advance(500);
      server.on("POST", "/signup", { status: 409 });
      expect(problemFrom(await app.signIn.choosePlan("free")()).message).to.equal(
        "Request failed with status 409",
      );
      expect(app.signIn.step$.value.step).to.equal("plan");
    });
  });

  describe("after a reload of the tab", () => {
    const isKnown = { user: createUser("ada@example.org", { twoFactor: { enabled: true } }) };
    const isNew = { isNew: true };
    const atNextStep = async (options: Parameters<typeof startApp>[0]) => {
      const started = await atCode(options);
      await started.app.signIn.verifyCode(rightCode)();
      await started.clock.advance(500);
      return started;
    };
    const reload = (
      { storage, clock, stop }: Awaited<ReturnType<typeof startApp>>,
      options: Parameters<typeof startApp>[0] = {},
    ) => {
      stop();
      return startApp({ ...newcomer, storage, clock, ...options });
    };

    it("returns to the second factor, which needs no other code", async () => {
      const { app, server } = await reload(await atNextStep(isKnown), isKnown);
      expect(app.signIn.step$.value).to.deep.equal({ step: "two-factor", email: "ada@example.org" });
      expect(app.signIn.pendingCodeFor()).to.equal(null);
      await app.signIn.verifyTwoFactor(rightTwoFactorCode)();
      expect(server.requestsTo("POST /login/verify2fa")[0]?.body).to.deep.equal({
        email: "ada@example.org",
        code: rightTwoFactorCode,
        tempToken: "ticket",
      });
      expect(app.session.state$.value.kind).to.equal("signed-in");
      expect(server.requestsTo("POST /login")).to.have.length(0);
    });

    it("returns to the choice of a plan, with the invitation that it asks for", async () => {
      const started = await atCode(isNew);
      const status = "plan_selection_required";
      started.server.on("PUT", "/login", { json: { status, tempToken: "ticket", needsInvitation: true } });
      await started.app.signIn.verifyCode(rightCode)();
      const { app, server } = await reload(started, isNew);
      expect(app.signIn.step$.value).to.deep.equal({
        step: "plan",
        email: "ada@example.org",
        needsInvitation: true,
      });
      expect(app.signIn.ticket()).to.equal("ticket");
      await app.signIn.choosePlan("free", { invitation: "welcome" })();
      expect(server.requestsTo("POST /signup")[0]?.body).to.deep.equal({
        tempToken: "ticket",
        tier: "free",
        invitation: "welcome",
      });
    });

    it("begins anew in another tab, and leaves nothing in the tab after the sign-in", async () => {
      const started = await atNextStep(isNew);
      started.storage.tab.remove("pendingSignIn");
      const { app, storage } = await reload(started, isNew);
      expect(app.signIn.step$.value.step).to.equal("email");
      expect(storage.tab.keys()).not.to.include("pendingSignIn");
      const { app: other, storage: own } = await atNextStep(isNew);
      expect(own.tab.keys()).to.include("pendingSignIn");
      await other.signIn.choosePlan("free")();
      expect(own.tab.keys()).not.to.include("pendingSignIn");
    });

    for (const [step, options, minutes] of [
      ["two-factor", isKnown, 5],
      ["plan", isNew, 30],
    ] as const) {
      it(`returns to the ${step} step for ${minutes} minutes, as long as the server takes its token`, async () => {
        const started = await atNextStep(options);
        await started.clock.advance(minutes * 60_000 - 501);
        const again = await reload(started, options);
        expect(again.app.signIn.step$.value.step).to.equal(step);
        await again.clock.advance(1);
        expect((await reload(again, options)).app.signIn.step$.value.step).to.equal("email");
      });
    }

    it("begins with the address when the user left the step, or the server has refused its token", async () => {
      for (const leave of ["useDifferentEmail", "cancelPlan"] as const) {
        const started = await atNextStep(isNew);
        started.app.signIn[leave]();
        expect((await reload(started, isNew)).app.signIn.step$.value.step).to.equal("email");
      }
      const refused = await atNextStep(isNew);
      refused.server.on("POST", "/signup", { status: 401 });
      await refused.app.signIn.choosePlan("free")();
      expect((await reload(refused, isNew)).app.signIn.step$.value.step).to.equal("email");
    });

    it("ignores a step that it cannot read", async () => {
      const started = await atNextStep(isNew);
      started.storage.tab.write("pendingSignIn", '{"step":"plan","email":7}');
      expect((await reload(started, isNew)).app.signIn.step$.value.step).to.equal("email");
    });
  });

  describe("with an existing code", () => {
    it("goes to the code entry and sends nothing", async () => {
      const { app, server } = await startApp(newcomer);
      expect(isRight(await app.signIn.enterCode(" ada@example.org ")())).to.equal(true);
      expect(server.requestsTo("POST /login")).to.have.length(0);
      expect(app.signIn.step$.value).to.deep.equal({
        step: "code",
        email: "ada@example.org",
        resendInSeconds: 0,
      });
    });

    it("shows an invalid address beside its field", async () => {
      const { app } = await startApp(newcomer);
      expect(problemFrom(await app.signIn.enterCode("ada@")()).fields).to.deep.equal([
        { field: "email", message: "Please enter a valid email address" },
      ]);
      expect(app.signIn.step$.value.step).to.equal("email");
    });
  });

  describe("asking for another code", () => {
    it("is refused during a countdown from 30 to 0, and sends again after it", async () => {
      const { app, server, clock } = await startApp(newcomer);
      await app.signIn.requestCode("ada@example.org")();
      const shown: number[] = [];
      app.signIn.step$.subscribe((step) => step.step === "code" && shown.push(step.resendInSeconds));
      await clock.advance(29_999);
      expect(problemFrom(await app.signIn.resend()()).failure.kind).to.equal("busy");
      await clock.advance(1);
      expect(shown).to.deep.equal(Array.from({ length: 31 }, (_, i) => 30 - i));
      expect(isRight(await app.signIn.resend()())).to.equal(true);
      expect(server.requestsTo("POST /login")).to.have.length(2);
      expect(app.signIn.step$.value).to.include({ resendInSeconds: 30 });
    });

    it("shows 'Failed to resend verification code', and may be retried", async () => {
      const { app, server, clock } = await atCode();
      await clock.advance(30_000);
      server.on("POST", "/login", { status: 400 });
      expect(problemFrom(await app.signIn.resend()()).message).to.equal("Failed to resend verification code");
      expect(app.signIn.step$.value).to.include({ step: "code", resendInSeconds: 0 });
    });
  });

  describe("with a different e-mail address", () => {
    it("returns to the first step and keeps the address for editing", async () => {
      const { app } = await atCode();
      app.signIn.useDifferentEmail();
      expect(app.signIn.step$.value).to.deep.equal({ step: "email", email: "ada@example.org" });
    });

    it("ignores an answer for the address that was replaced", async () => {
      const { app, server, clock } = await atCode();
      server.on("PUT", "/login", {
        json: { token: tokenOf("ada@example.org"), user: createUser("ada@example.org") },
        afterMs: 1_000,
      });
      const verifying = app.signIn.verifyCode(rightCode)();
      app.signIn.useDifferentEmail();
      await clock.advance(1_000);
      await verifying;
      expect(app.session.state$.value.kind).to.equal("signed-out");
      expect(app.signIn.step$.value.step).to.equal("email");
    });
  });

  it("accepts one submission at a time, and none for 500 ms after it", async () => {
    const { app, server, clock } = await startApp(newcomer);
    server.on("POST", "/login", { json: {}, afterMs: 1_000 });
    const first = app.signIn.requestCode("ada@example.org")();
    expect(app.signIn.busy$.value).to.equal(true);
    expect(problemFrom(await app.signIn.requestCode("ada@example.org")()).failure.kind).to.equal("busy");
    await clock.advance(1_000);
    expect(isRight(await first)).to.equal(true);
    await clock.advance(499);
    expect(isLeft(await app.signIn.requestCode("ada@example.org")())).to.equal(true);
    expect(app.signIn.busy$.value).to.equal(true);
    await clock.advance(1);
    expect(app.signIn.busy$.value).to.equal(false);
    expect(server.requestsTo("POST /login")).to.have.length(1);
  });

  describe("checking whether a user exists", () => {
    it("sends the code 000000: 401 means that the user exists, a plan to choose that there is none", async () => {
      const { app, server } = await startApp(newcomer);
      server.on("PUT", "/login", { status: 401, json: { message: "wrong" } });
      expect(await app.signIn.userExists("ada@example.org")()).to.deep.include({ right: true });
      expect(server.requestsTo("PUT /login")[0]?.body).to.deep.equal({
        email: "ada@example.org",
        otp: "000000",
      });
      server.on("PUT", "/login", { json: { status: "plan_selection_required" } });
      expect(await app.signIn.userExists("bob@example.org")()).to.deep.include({ right: false });
    });

    it("shows 'Failed to check if user exists' for any other answer", async () => {
      const { app, server } = await startApp(newcomer);
      for (const answer of [{ json: {} }, { status: 404 }, { text: "<html>" }]) {
        server.on("PUT", "/login", answer);
        expect(problemFrom(await app.signIn.userExists("ada@example.org")()).message).to.equal(
          "Failed to check if user exists",
        );
      }
    });
  });

  it("shows the connection error when there is no network", async () => {
    const { app, server } = await startApp(newcomer);
    server.cutOff(true);
    const problem = problemFrom(await app.signIn.requestCode("ada@example.org")());
    await settled();
    expect(problem.message).to.equal("Connection issue. Please try again later.");
  });
});
