import { expect } from "chai";
import { type Either, isLeft } from "fp-ts/lib/Either.js";
import { createProfile } from "../../../core/account/profile.ts";
import type { Problem } from "../../../core/api/errorMessages.ts";
import { createContentAccess } from "../../../core/contentAccess/contentAccess.ts";
import { createEncryption } from "../../../core/encryption/encryption.ts";
import { insightsLimits } from "../../../core/insights/figures.ts";
import { createInsights } from "../../../core/insights/insights.ts";
import { toMaskDraft } from "../../../core/masks/maskDraft.ts";
import { createTwoFactor } from "../../../core/session/twoFactor/twoFactor.ts";
import { rightCode } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { type Answers, type AppOnTexts, least, most, startOnTexts } from "./serverOfTheTexts.ts";

const done = <A>(result: Either<Problem, A>): A => {
  if (isLeft(result)) throw new Error(`it failed: ${JSON.stringify(result.left)}`);
  return result.right;
};

const draft = { ...toMaskDraft(), description: "News", forwardTo: "ada@example.org" };

for (const [name, answers] of Object.entries<Answers>({ least, most }))
  describe(`A server that sends the ${name} that the specification allows`, () => {
    let on: AppOnTexts;
    afterEach(() => on.stop());

    const start = async (options: { readonly isSignedIn?: boolean; readonly path?: string } = {}) => {
      on = await startOnTexts({ answers, ...options });
      await on.clock.advance(3_000);
    };
    const errors = (): readonly string[] => [
      ...on.app.toasts.list$.value.filter(({ kind }) => kind === "error").map(({ text }) => text),
      ...on.reporter.reports.map(({ error, context }) => `${String(error)} ${JSON.stringify(context)}`),
    ];
    const connect = async (): Promise<void> => {
      on.sockets.latest().accept();
      await on.clock.advance(500);
    };
    const push = async (message: unknown): Promise<void> => {
      on.sockets.latest().push(message);
      await on.clock.advance(500);
    };

    it("signs a user in", async () => {
      await start({ isSignedIn: false, path: "/login" });
      done(await on.app.signIn.requestCode("ada@example.org")());
      await on.clock.advance(500);
      done(await on.app.signIn.verifyCode(rightCode)());
      await on.clock.advance(500);
      expect(on.app.session.state$.value).to.have.nested.property("user.email", "ada@example.org");
      expect(on.app.signIn.step$.value.step).not.to.equal("keys");
      expect(errors()).to.deep.equal([]);
    });

    it("has its masks shown, and changed", async () => {
      await start();
      const { view$ } = on.app.masks;
      expect(view$.value).to.include({ status: "ready", leftOut: "" });
      const [mask] = view$.value.all;
      expect(mask?.forwardTo).to.equal("ada@example.org");
      done(await on.app.masks.setActive(mask?.id ?? "", false)());
      done(await on.app.masks.create(draft)());
      expect(view$.value.all.map(({ active }) => active ?? true).toSorted()).to.deep.equal([false, true]);
      expect(done(await on.app.masks.statistics(mask?.id ?? "")()).totalReceived).to.be.a("number");
      expect(errors()).to.deep.equal([]);
    });

    it("has its account shown", async () => {
      await start();
      const account = on.app.account.account$.value;
      expect(account?.limits?.storageLimit).to.equal(name === "least" ? "1MB" : "20MB");
      expect(account?.limits?.historyRetention).to.equal(name === "least" ? "7 days" : "1 year");
      expect(account?.subscription.tier).to.equal(name === "least" ? "free" : "pro");
      expect(on.app.account.warning$.value).to.equal(null);
      expect(errors()).to.deep.equal([]);
    });

    it("has its figures and suggestions shown, whose status is sent", async () => {
      await start();
      const insights = on.signedIn().feature(createInsights);
      done(await insights.refresh()());
      const { suggestions, status, leftOut } = insights.view$.value;
      expect({ status, leftOut }).to.deep.equal({ status: "ready", leftOut: "" });
      expect(suggestions.map(({ actionKey, title }) => [actionKey, title])).to.deep.equal([
        ["tidy", "Tidy up"],
      ]);
      const [suggestion] = suggestions;
      if (suggestion) done(await insights.dismiss(suggestion)());
      expect(on.server.requestsTo("POST /ai/insights")[0]?.body).to.deep.include({ actionKey: "tidy" });
      expect(errors()).to.deep.equal([]);
    });

    it("has its settings shown and changed", async () => {
      await start();
      const access = on.signedIn().feature(createContentAccess);
      done(await access.refresh()());
      const features = () => access.view$.value.preferences?.features;
      expect(features()).to.include({
        categorization: true,
        enhancedFiltering: true,
        summaries: name === "most",
      });
      done(await access.setFeature("prioritization", true)());
      expect(features()).to.include({ prioritization: true, categorization: true });
      done(await access.setEnabled(false, false)());
      expect(access.view$.value.access?.contentAccessEnabled).to.equal(false);
      expect(errors()).to.deep.equal([]);
    });

    it("has its second factor and its profile set up", async () => {
      await start();
      const twoFactor = on.signedIn().feature(createTwoFactor);
      done(await twoFactor.generate()());
      await on.clock.advance(500);
      done(await twoFactor.verify(rightCode)());
      const profile = on.signedIn().feature(createProfile);
      done(await profile.request("new@example.org")());
      expect(profile.step$.value.step).to.equal("done");
      expect(errors()).to.deep.equal([]);
    });

    it("has its encryption shown", async () => {
      await start();
      const encryption = on.signedIn().feature(createEncryption);
      await settled();
      expect(encryption.state$.value.at).to.equal(name === "least" ? "off" : "on");
      expect(errors()).to.deep.equal([]);
    });

    it("has what it pushes shown, however it numbers and dates it", async () => {
      await start();
      await connect();
      await push({ type: "notification", data: { id: 1, message: "numbered" } });
      await push({
        type: "notification",
        data: { id: "b", message: "dated", timestamp: "2026-11-20T08:00:00Z" },
      });
      await push({
        type: "notification",
        data: { id: "c", message: "timed", timestamp: 1_700_000_000_000, type: null },
      });
      const view = on.app.notifications.view$.value;
      expect(view.list.map(({ message }) => message)).to.have.members(["numbered", "dated", "timed"]);
      expect(view.unread).to.equal(3);
      await push({ type: "read_status_updated", data: { notificationId: 1 } });
      await push({ type: "read_status_updated", data: { notificationId: "b", read: true } });
      expect(on.app.notifications.view$.value.unread).to.equal(1);
      await push({ type: "read_status_updated", all: true });
      expect(on.app.notifications.view$.value.unread).to.equal(0);
      expect(on.reporter.reports).to.deep.equal([]);
    });

    it("has what it changes fetched", async () => {
      await start();
      await connect();
      const before = on.server.requestsTo("GET /masks").length;
      await push({ type: "data_update", data: { resource: "masks" } });
      await push({ type: "data_update", resource: "mask", resourceId: 7, action: "updated" });
      await push({ type: "data_update", data: { resource: "rules", resourceId: "m9", action: "created" } });
      await on.clock.advance(1_000);
      expect(on.server.requestsTo("GET /masks").length).to.be.above(before);
      expect(on.server.requestsTo("GET /masks/7")).to.have.length(1);
      expect(on.server.requestsTo("GET /masks/m9")).to.have.length(1);
      expect(on.reporter.reports).to.deep.equal([]);
    });
  });

describe("A server of another form", () => {
  it("has a message reported that cannot be read, and a notification fetched instead", async () => {
    const on = await startOnTexts({ answers: least });
    await on.clock.advance(3_000);
    on.sockets.latest().accept();
    await on.clock.advance(500);
    const before = on.server.requestsTo("GET /notifications").length;
    on.sockets.latest().push({ type: "notification", data: { id: "x" } });
    on.sockets.latest().push({ type: "notification", data: { id: "y" } });
    await on.clock.advance(1_000);
    expect(on.reporter.reports.map(({ error }) => String(error))).to.deep.equal([
      "Error: A message (notification) cannot be read",
    ]);
    expect(on.server.requestsTo("GET /notifications").length).to.be.above(before);
    on.stop();
  });

  it("that names no tier has the limits of pro_premium in the stats card (D18)", async () => {
    const on = await startOnTexts({ answers: { ...least, "GET /account": { email: "ada@example.org" } } });
    await on.clock.advance(3_000);
    expect(insightsLimits(on.app.account.account$.value, undefined)).to.deep.equal({
      emails: 5_000,
      masks: null,
    });
    on.stop();
  });

  it("that numbers its notifications by nothing has all of them marked as read", async () => {
    const on = await startOnTexts({ answers: { ...least, "PUT /notifications/read": null } });
    await on.clock.advance(3_000);
    on.app.notifications.receive({ id: "first", message: "One" });
    on.app.notifications.receive({ id: "second", message: "Two" });
    done(await on.app.notifications.markAllRead()());
    expect(on.app.notifications.view$.value.unread).to.equal(0);
    on.stop();
  });
});
