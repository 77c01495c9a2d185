import { expect } from "chai";
import { createAccountListSettings } from "../../../core/account/accountListSettings.ts";
import { defaultListSettings, type MaskListSettings } from "../../../core/masks/maskListSettings.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { settled } from "../../fakes/virtualClock.ts";

/** A device of the user; `with` is one that shares the server, and `storage` the browser. */
const open = async (options: AppOnFakesOptions = {}): Promise<AppOnFakes> => {
  const device = await startApp(options);
  device.signedIn().feature(createAccountListSettings);
  await settled();
  return device;
};

const another = ({ product, server, clock }: AppOnFakes): Promise<AppOnFakes> =>
  open({ product, server, clock });

const shown = ({ app }: AppOnFakes): Partial<MaskListSettings> => app.masks.settings$.value;

const choose = async ({ app }: AppOnFakes, change: Partial<MaskListSettings>): Promise<void> => {
  app.masks.changeSettings(change);
  await settled();
};

const refresh = async ({ app }: AppOnFakes): Promise<void> => {
  await app.account.refresh()();
  await settled();
};

const saves = ({ server }: AppOnFakes): number => server.requestsTo("PUT /account/profile").length;

const rows: MaskListSettings = {
  ...defaultListSettings,
  layout: "rows",
  columns: ["address", "note"],
  isReversed: false,
};

describe("The order and layout of the list", () => {
  it("are those of the account on a device that has none of its own", async () => {
    const desk = await open();
    await choose(desk, { layout: "rows", columns: ["address", "note"] });
    const phone = await another(desk);
    expect(shown(phone)).to.deep.include({ layout: "rows", columns: ["address", "note"] });
    expect(saves(desk)).to.equal(1);
  });

  it("follow a choice on another device, and back again", async () => {
    const desk = await open();
    const phone = await another(desk);
    await choose(phone, { layout: "rows", sort: "name" });
    await choose(phone, { isReversed: true });
    await refresh(desk);
    expect(shown(desk)).to.deep.include({ layout: "rows", sort: "name", isReversed: true });
    await choose(desk, { sort: "newest" });
    await choose(desk, { layout: "cards" });
    await refresh(phone);
    expect(shown(phone)).to.deep.include({ layout: "cards", sort: "newest", isReversed: false });
    await choose(phone, { layout: "rows" });
    await refresh(desk);
    expect(shown(desk)).to.deep.include({ layout: "rows" });
  });

  it("follow at once where the server announces the change", async () => {
    const desk = await open();
    desk.sockets.latest().accept();
    desk.sockets.latest().push({ type: "auth_response", data: { success: true, userId: "u" } });
    await desk.clock.advance(3_000);
    await choose(await another(desk), { layout: "rows" });
    expect(shown(desk)).to.deep.include({ layout: "cards" });
    desk.sockets.latest().push({ type: "data_update", data: { resource: "account", action: "updated" } });
    await settled();
    expect(shown(desk)).to.deep.include({ layout: "rows" });
  });

  it("go back to the first page where another device has chosen another layout", async () => {
    const desk = await open();
    const phone = await another(desk);
    desk.app.masks.goTo(2);
    await choose(phone, { pageSize: { cards: 20 } });
    await refresh(desk);
    expect(desk.app.masks.query$.value.page).to.equal(1);
  });

  it("are as this device has them at once, before the account is loaded", async () => {
    const desk = await open();
    await choose(desk, { layout: "rows" });
    desk.stop();
    const again = await startApp({ storage: desk.storage, product: desk.product, server: desk.server });
    expect(shown(again)).to.deep.include({ layout: "rows" });
  });

  it("that are chosen offline stay, survive a reload, and are saved once when the connection is back", async () => {
    const desk = await open();
    desk.online$.set(false);
    await choose(desk, { layout: "rows" });
    await choose(desk, { pageSize: { cards: 10 } });
    expect(saves(desk)).to.equal(0);
    expect(desk.app.toasts.list$.value).to.deep.equal([]);
    desk.stop();
    const { storage, product, server, clock } = desk;
    const again = await open({ storage, product, server, clock });
    expect(shown(again)).to.deep.include({ layout: "rows", pageSize: { cards: 10 } });
    expect(saves(again)).to.equal(1);
    await choose(await another(desk), { sort: "name" });
    await refresh(again);
    await choose(await another(desk), { sort: "lastMail" });
    await refresh(again);
    expect(shown(again)).to.deep.include({ sort: "lastMail" });
    expect(saves(again)).to.equal(3);
    expect(shown(await another(desk))).to.deep.include({ layout: "rows", pageSize: { cards: 10 } });
  });

  it("that are chosen while others are saved are saved after them", async () => {
    const desk = await open();
    desk.app.masks.changeSettings({ layout: "rows" });
    desk.app.masks.changeSettings({ sort: "name" });
    desk.app.masks.changeSettings({ sort: "lastMail" });
    await settled();
    expect(saves(desk)).to.be.at.most(2);
    expect(shown(await another(desk))).to.deep.include({ layout: "rows", sort: "lastMail" });
  });

  it("stay on this device without a word where the server refuses them, and are not sent again", async () => {
    const desk = await open();
    desk.server.on("PUT", "/account/profile", { status: 400, json: { message: "Unknown columns" } });
    await choose(desk, { layout: "rows" });
    expect(shown(desk)).to.deep.include({ layout: "rows" });
    expect(desk.app.toasts.list$.value).to.deep.equal([]);
    desk.online$.set(false);
    desk.online$.set(true);
    await settled();
    expect(saves(desk)).to.equal(1);
  });

  it("are saved once the server answers again, though the browser never was offline", async () => {
    const desk = await open();
    let isDown = true;
    let saved: unknown;
    desk.server.on("PUT", "/account/profile", ({ body }) => {
      if (isDown) return { status: 503, json: {} };
      saved = body;
      return { json: {} };
    });
    await choose(desk, { layout: "rows" });
    await desk.clock.advance(30_000);
    expect(saves(desk)).to.be.within(3, 6);
    expect(desk.app.toasts.list$.value).to.deep.equal([]);
    isDown = false;
    await desk.clock.advance(120_000);
    expect(saved).to.have.nested.property("maskListSettings.layout", "rows");
    const count = saves(desk);
    await desk.clock.advance(600_000);
    expect(saves(desk)).to.equal(count);
    desk.stop();
  });

  it("that the server has saved follow another device, though the account could not be read after it", async () => {
    const desk = await open();
    const user = desk.app.account.account$.value;
    desk.server.on("GET", "/account", "unreachable");
    await choose(desk, { layout: "rows" });
    const theirs = { ...rows, sort: "name" };
    desk.server.on("GET", "/account", { json: { ...user, settings: { maskListSettings: theirs } } });
    await refresh(desk);
    expect(shown(desk)).to.deep.include({ layout: "rows", sort: "name" });
    expect(saves(desk)).to.equal(1);
  });

  it("that an earlier version has kept, with a number of rows, are saved with the next choice", async () => {
    const desk = await open({
      before: ({ storage }) => {
        const kept = { ...defaultListSettings, sort: "name", pageSize: { cards: 10, rows: 50 } };
        storage.local.write("maskListSettings", JSON.stringify(kept));
      },
    });
    await choose(desk, { layout: "rows" });
    const [saved] = desk.server.requestsTo("PUT /account/profile").map(({ body }) => body);
    expect(saved).to.deep.equal({
      maskListSettings: { ...defaultListSettings, layout: "rows", sort: "name", pageSize: { cards: 10 } },
    });
  });

  it("of the user before, whose session ended with them unsaved, are not saved for the next one", async () => {
    const desk = await open({
      before: ({ storage }) => {
        storage.local.write("maskListSettings", JSON.stringify({ ...rows, unsavedOf: "eve@example.org" }));
      },
    });
    expect(saves(desk)).to.equal(0);
    const phone = await another(desk);
    await choose(phone, { layout: "cards", sort: "name" });
    await refresh(desk);
    expect(shown(desk)).to.deep.include({ layout: "cards", sort: "name" });
  });

  it("are those of another tab at once, also offline", async () => {
    const desk = await open();
    const tab = await open({
      storage: desk.storage.openTab(),
      product: desk.product,
      server: desk.server,
      clock: desk.clock,
    });
    tab.online$.set(false);
    desk.online$.set(false);
    await choose(desk, { layout: "rows" });
    expect(shown(tab)).to.deep.include({ layout: "rows" });
  });

  it("that only a newer version knows leave the list as it is", async () => {
    const desk = await open();
    const user = desk.app.account.account$.value;
    desk.server.on("GET", "/account", {
      json: { ...user, settings: { maskListSettings: { ...rows, columns: ["weather"] } } },
    });
    await refresh(desk);
    expect(shown(desk)).to.deep.include({ layout: "cards" });
  });
});
