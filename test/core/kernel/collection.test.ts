import { expect } from "chai";
import { createApiTokens } from "../../../core/apiTokens/apiTokens.ts";
import type { SignedIn } from "../../../core/app/signedIn.ts";
import { createAppPasswords } from "../../../core/appPasswords/appPasswords.ts";
import { createDestinations } from "../../../core/destinations/destinations.ts";
import { createDomains } from "../../../core/domains/domains.ts";
import type { Outdated } from "../../../core/kernel/collection.ts";
import type { State } from "../../../core/kernel/state.ts";
import { createMaskLabels } from "../../../core/labels/labels.ts";
import { createPasskeys } from "../../../core/passkeys/passkeys.ts";
import { createIdentities } from "../../../core/session/identities.ts";
import { createOpenSessions } from "../../../core/session/openSessions.ts";
import { createTrash } from "../../../core/trash/trash.ts";
import { createWebhooks } from "../../../core/webhooks/webhooks.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { createApiToken } from "../../fakes/productApiTokens.ts";
import { settled, startsAt } from "../../fakes/virtualClock.ts";

interface Screen {
  readonly outdated$: State<Outdated | null>;
  readonly shown: () => unknown;
  readonly refresh: () => () => Promise<unknown>;
}

/** The lists that are stored, each as its screen uses it. */
const screens: Readonly<Record<string, (signedIn: SignedIn) => Screen>> = {
  "list of addresses": ({ feature }) => {
    const { list$, ...rest } = feature(createDestinations);
    return { ...rest, shown: () => list$.value };
  },
  "list of labels": ({ feature }) => {
    const { list$, ...rest } = feature(createMaskLabels);
    return { ...rest, shown: () => list$.value };
  },
  "list of deleted masks": ({ feature }) => {
    const { view$, ...rest } = feature(createTrash);
    return { ...rest, shown: () => view$.value.masks };
  },
  "list of domains": ({ feature }) => {
    const { list$, ...rest } = feature(createDomains);
    return { ...rest, shown: () => list$.value };
  },
};

for (const [name, openIn] of Object.entries(screens))
  describe(`The ${name} without a connection`, () => {
    let stops: (() => void)[];
    beforeEach(() => {
      stops = [];
    });
    afterEach(() => {
      for (const stop of stops) stop();
    });

    const start = async (before?: AppOnFakes): Promise<AppOnFakes> => {
      const fakes = await startApp(before ?? {});
      stops.push(fakes.stop);
      return fakes;
    };
    const open = async (fakes: AppOnFakes): Promise<Screen> => {
      const screen = openIn(fakes.signedIn());
      await screen.refresh()();
      return screen;
    };
    /** A visit, and the next one a day later in which nothing is answered. */
    const comeBack = async () => {
      const first = await start();
      const seen = (await open(first)).shown();
      await first.clock.advance(86_400_000);
      first.server.cutOff(true);
      first.online$.set(false);
      return { seen, fakes: await start(first) };
    };

    it("shows what was known at the last visit, and as of when", async () => {
      const { seen, fakes } = await comeBack();
      const screen = await open(fakes);
      expect(seen).not.to.equal(null);
      expect(screen.shown()).to.deep.equal(seen);
      expect(screen.outdated$.value).to.deep.equal({ isOnline: false, asOf: startsAt });
    });

    it("says so while the page is open, and is current again by itself", async () => {
      const fakes = await start();
      const screen = await open(fakes);
      expect(screen.outdated$.value).to.equal(null);
      fakes.server.cutOff(true);
      fakes.online$.set(false);
      await fakes.clock.advance(5_000);
      expect(screen.outdated$.value).to.deep.equal({ isOnline: false, asOf: startsAt });
      await screen.refresh()();
      fakes.server.cutOff(false);
      fakes.online$.set(true);
      await settled();
      expect(screen.outdated$.value).to.equal(null);
    });

    it("is current again when what was asked without a connection fails after it is back", async () => {
      const fakes = await start();
      const screen = await open(fakes);
      fakes.server.cutOff(true);
      fakes.online$.set(false);
      const before = fakes.server.requests.length;
      const asked = screen.refresh()();
      while (fakes.server.requests.length === before) await Promise.resolve();
      fakes.server.cutOff(false);
      fakes.online$.set(true);
      await asked;
      await settled();
      expect(screen.outdated$.value).to.equal(null);
    });

    it("has nothing of a user who has logged out", async () => {
      const fakes = await start();
      const screen = await open(fakes);
      await fakes.app.session.logOut()();
      expect(screen.shown()).to.equal(null);
      const kept = fakes.storage.local.keys();
      expect(kept.filter((key) => key.startsWith("cached_"))).to.deep.equal([]);
    });
  });

/** What removes the thing `gone` from each list, with the address of the list. */
const removals: Readonly<Record<string, (signedIn: SignedIn) => () => Promise<unknown>>> = {
  "/account/api-tokens": ({ feature }) => feature(createApiTokens).revoke("gone"),
  "/account/app-passwords": ({ feature }) => feature(createAppPasswords).revoke("gone"),
  "/account/identities": ({ feature }) => feature(createIdentities).disconnect("gone"),
  "/account/passkeys": ({ feature }) => feature(createPasskeys).remove("gone"),
  "/account/sessions": ({ feature }) => feature(createOpenSessions).end("gone"),
  "/account/webhooks": ({ feature }) => feature(createWebhooks).remove("gone"),
  "/labels": ({ feature }) => feature(createMaskLabels).remove("gone"),
};

describe("A list of what the user owns", () => {
  let fakes: AppOnFakes;
  beforeEach(async () => {
    fakes = await startApp();
  });
  afterEach(() => fakes.stop());

  for (const [address, removeIn] of Object.entries(removals))
    it(`is read again after a removal: ${address}`, async () => {
      fakes.server.on("DELETE", `${address}/:id`, { json: {} });
      const remove = removeIn(fakes.signedIn());
      await settled();
      const before = fakes.server.requestsTo(`GET ${address}`).length;
      await remove();
      await settled();
      expect(fakes.server.requestsTo(`GET ${address}`).slice(before)).to.have.length(1);
    });

  it("is not read again when the removal is refused", async () => {
    fakes.server.on("DELETE", "/account/sessions/:id", { status: 400 });
    const sessions = fakes.signedIn().feature(createOpenSessions);
    await sessions.refresh()();
    await sessions.end("phone")();
    await settled();
    expect(fakes.server.requestsTo("GET /account/sessions")).to.have.length(1);
    expect(sessions.list$.value?.map(({ id }) => id)).to.include("phone");
  });

  it("loses what was removed at once, and what another device has added shows after that", async () => {
    const sessions = fakes.signedIn().feature(createOpenSessions);
    await sessions.refresh()();
    const [here] = fakes.product.sessions.all();
    if (here)
      fakes.product.sessions.set([...fakes.product.sessions.all(), { ...here, id: "new", current: false }]);
    const ids = (): readonly string[] => sessions.list$.value?.map(({ id }) => id) ?? [];
    await sessions.end("phone")();
    expect(ids()).not.to.include("phone");
    await settled();
    expect(ids()).to.include("new").and.not.to.include("phone");
  });

  it("shows an answer that was asked for before the first change", async () => {
    fakes.server.on("GET", "/account/api-tokens", { json: { tokens: [] }, afterMs: 1_000 });
    fakes.server.on("PATCH", "/account/api-tokens/:id", { json: createApiToken("script") });
    const tokens = fakes.signedIn().feature(createApiTokens);
    await settled();
    const asked = tokens.refresh()();
    await tokens.rename("script", "Backup")();
    await fakes.clock.advance(1_000);
    await asked;
    expect(tokens.view$.value).to.deep.equal([]);
  });

  it("is loaded again once the connection is back after a failure", async () => {
    const tokens = fakes.signedIn().feature(createApiTokens);
    await settled();
    fakes.online$.set(false);
    fakes.server.cutOff(true);
    await tokens.refresh()();
    expect(tokens.view$.value).to.equal(null);
    fakes.server.cutOff(false);
    fakes.online$.set(true);
    await settled();
    expect(tokens.view$.value).to.be.an("array");
  });
});
