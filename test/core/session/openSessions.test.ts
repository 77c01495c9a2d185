import { expect } from "chai";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { createOpenSessions, type OpenSessions } from "../../../core/session/openSessions.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { createApiToken } from "../../fakes/productApiTokens.ts";
import { settled } from "../../fakes/virtualClock.ts";

describe("The user's sessions", () => {
  let fakes: AppOnFakes;
  let sessions: OpenSessions;

  beforeEach(async () => {
    fakes = await startApp();
    fakes.product.apiTokens.set([createApiToken("script")]);
    sessions = fakes.signedIn().feature(createOpenSessions);
    await settled();
  });
  afterEach(() => fakes.stop());

  const ids = (): readonly string[] | undefined => sessions.list$.value?.map(({ id }) => id);
  const toasts = (): readonly string[] => fakes.app.toasts.list$.value.map(({ text }) => text);

  it("are unknown until requested, and list the current one first", async () => {
    expect(sessions.list$.value).to.equal(null);
    await sessions.refresh()();
    expect(ids()).to.deep.equal(["here", "phone", "script"]);
  });

  it("include one that was logged out here while the server could not be told", async () => {
    await sessions.refresh()();
    expect(sessions.loggedOutId$.value).to.equal(null);
    fakes.storage.local.write("owedLogout", '{"sessionId":"script"}');
    await sessions.refresh()();
    expect(sessions.loggedOutId$.value).to.equal("script");
  });

  it("can be ended one at a time", async () => {
    await sessions.refresh()();
    expect(isRight(await sessions.end("phone")())).to.equal(true);
    expect(ids()).to.deep.equal(["here", "script"]);
    expect(fakes.product.sessions.all().map(({ id }) => id)).to.deep.equal(["here", "script"]);
    expect(toasts()).to.deep.equal(["Session ended"]);
  });

  it("count as ended when they have ended already", async () => {
    await sessions.refresh()();
    fakes.product.sessions.set(fakes.product.sessions.all().filter(({ id }) => id !== "phone"));
    expect(isRight(await sessions.end("phone")())).to.equal(true);
    expect(ids()).to.deep.equal(["here", "script"]);
  });

  it("can be ended all at once, except the current one", async () => {
    await sessions.refresh()();
    await sessions.endOthers({ apiTokens: false })();
    expect(fakes.product.apiTokens.all()).to.have.length(1);
    expect(ids()).to.deep.equal(["here"]);
    expect(toasts()).to.deep.equal(["All other sessions ended"]);
  });

  it("are ended together with all API tokens where the user wants that", async () => {
    await sessions.refresh()();
    await sessions.endOthers({ apiTokens: true })();
    expect(ids()).to.deep.equal(["here"]);
    expect(fakes.product.apiTokens.all()).to.deep.equal([]);
    expect(toasts()).to.deep.equal(["All other sessions ended, all API tokens revoked"]);
  });

  it("do not change when the server refuses, and show an error", async () => {
    await sessions.refresh()();
    fakes.server.on("DELETE", "/account/sessions", { status: 400 });
    fakes.server.on("DELETE", "/account/sessions/:id", { status: 400 });
    const [one, others] = [await sessions.end("phone")(), await sessions.endOthers({ apiTokens: false })()];
    expect(isLeft(one) && one.left.message).to.equal("Failed to end the session");
    expect(isLeft(others) && others.left.message).to.equal("Failed to end the other sessions");
    expect(ids()).to.have.length(3);
  });

  it("are dropped at logout, including an answer that arrives later", async () => {
    const pending = sessions.refresh()();
    await fakes.app.session.logOut()();
    await pending;
    expect(sessions.list$.value).to.equal(null);
  });
});
