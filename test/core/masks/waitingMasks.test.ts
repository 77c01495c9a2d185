import { expect } from "chai";
import fc from "fast-check";
import { createState } from "../../../core/kernel/state.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { type MaskDraft, toMaskDraft } from "../../../core/masks/maskDraft.ts";
import { createWaitingMasks } from "../../../core/masks/waitingMasks.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { createMask, createUser } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";
import { problemFrom } from "../problems.ts";

const draftOf = (description: string) => ({ ...toMaskDraft(), description, forwardTo: "ada@example.org" });

const open = async () => {
  const hands = await startApp({ masks: [] });
  const waiting = hands.signedIn().feature(createWaitingMasks);
  const make = (name: string) => waiting.create(draftOf(name))();
  return { hands, waiting, make };
};

const namesOf = ({ product }: AppOnFakes): readonly string[] =>
  product.masks().map(({ description = "" }) => description);

describe("A mask made without a connection", () => {
  it("waits without an address, survives a reload, and is made once when the connection is back", async () => {
    const { hands, waiting, make } = await open();
    hands.online$.set(false);
    expect(await make("Corner Shop")).to.deep.include({ _tag: "Right", right: null });
    expect(waiting.list$.value.map(({ draft }) => draft.description)).to.deep.equal(["Corner Shop"]);
    expect(hands.app.hasWaitingMasks()).to.equal(true);
    expect(namesOf(hands)).to.deep.equal([]);
    hands.stop();
    const later = await startApp({
      storage: hands.storage,
      product: hands.product,
      server: hands.server,
    } as never);
    await settled();
    expect(later.app.masks.waiting$.value).to.equal(0);
    expect(namesOf(hands)).to.deep.equal(["Corner Shop"]);
  });

  it("is the same list for a screen as long as nothing has changed", async () => {
    const { hands, waiting, make } = await open();
    hands.online$.set(false);
    await make("One");
    const list = waiting.list$.value;
    expect(waiting.list$.value).to.equal(list);
    await make("Two");
    expect(waiting.list$.value).to.not.equal(list);
    hands.stop();
  });

  it("can be changed and removed while it waits", async () => {
    const { hands, waiting, make } = await open();
    hands.online$.set(false);
    await make("One");
    await make("Two");
    const [one, two] = waiting.list$.value;
    await waiting.edit(one?.id ?? "", draftOf("First"))();
    waiting.remove(two?.id ?? "");
    hands.online$.set(true);
    await settled();
    expect(namesOf(hands)).to.deep.equal(["First"]);
    expect(waiting.list$.value).to.deep.equal([]);
    hands.stop();
  });

  it("stays with the reason when the server refuses it, and is sent again by hand", async () => {
    const { hands, waiting, make } = await open();
    hands.online$.set(false);
    await make("Third");
    hands.server.on("POST", "/masks", { status: 403, json: { message: "Delete one first." } });
    hands.online$.set(true);
    await settled();
    expect(waiting.list$.value).to.have.length(1);
    expect(waiting.list$.value[0]).to.deep.include({ refusal: "Delete one first." });
    hands.stop();
  });

  it("is made exactly once, whatever is lost in between", async () => {
    const step = fc.constantFrom("create", "offline", "online", "lost answer", "lost request", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { hands, make } = await open();
        const made: { readonly name: string; readonly requestId: string }[] = [];
        let mishap: "lost answer" | "lost request" | null = null;
        hands.server.on("POST", "/masks", ({ body }) => {
          const { description, metadata } = body as {
            readonly description: string;
            readonly metadata: { readonly requestId: string };
          };
          const now = mishap;
          mishap = null;
          if (now === "lost request") return "unreachable";
          if (!made.some((one) => one.requestId === metadata.requestId))
            made.push({ name: description, requestId: metadata.requestId });
          return now === "lost answer"
            ? "unreachable"
            : {
                json: {
                  id: metadata.requestId,
                  maskEmail: `${metadata.requestId}@masks.example`,
                  forwardTo: "ada@example.org",
                  description,
                  metadata,
                },
              };
        });
        const created: string[] = [];
        for (const one of steps) {
          if (one === "create") {
            // With a connection the form waits for its answer; these are the masks without one.
            hands.online$.set(false);
            created.push(`Mask ${created.length}`);
            await make(created.at(-1) ?? "");
          } else if (one === "offline" || one === "online") hands.online$.set(one === "online");
          else if (one === "wait") await hands.clock.advance(3_000);
          else mishap = one;
          await settled();
        }
        mishap = null;
        hands.online$.set(true);
        await settled();
        await hands.clock.advance(600_000);
        await settled();
        expect(made.map(({ name }) => name).toSorted()).to.deep.equal(created.toSorted());
        expect(hands.app.masks.waiting$.value).to.equal(0);
        hands.stop();
      }),
      { numRuns: 25 },
    );
  });
});

const shop = createMask("shop", { description: "Shop", note: "Old note", labels: ["a"] });

const edited = (change: Partial<MaskDraft>): MaskDraft => ({ ...toMaskDraft(shop), ...change });

const openEditing = async (options: AppOnFakesOptions = {}) => {
  const hands = await startApp({ masks: [shop, createMask("bank")], ...options });
  const waiting = hands.signedIn().feature(createWaitingMasks);
  await settled();
  const shown = (id = "shop"): Mask | undefined =>
    hands.app.masks.view$.value.all.find((one) => one.id === id);
  const atServer = (id = "shop"): Mask | undefined => hands.product.masks().find((one) => one.id === id);
  const edit = (change: Partial<MaskDraft>) => hands.app.masks.edit("shop", edited(change))();
  const switchTo = (active: boolean) => hands.app.masks.setActive("shop", active)();
  const goOnline = async (): Promise<void> => {
    hands.online$.set(true);
    await settled();
  };
  const puts = () => hands.server.requestsTo("PUT /masks/shop");
  const toasts = () => hands.app.toasts.list$.value.map(({ text }) => text);
  return { hands, waiting, shown, atServer, edit, switchTo, goOnline, puts, toasts };
};

describe("A switch or an edit of a mask made without a connection", () => {
  it("is shown at once and sent once when the connection is back", async () => {
    const { hands, waiting, shown, atServer, edit, switchTo, goOnline, puts, toasts } = await openEditing();
    hands.online$.set(false);
    await switchTo(false);
    expect(await edit({ note: "New note" })).to.have.property("_tag", "Right");
    expect(shown()).to.deep.include({ active: false, note: "New note", description: "Shop" });
    expect(toasts()).to.deep.equal(["The change waits for a connection."]);
    expect(waiting.changes$.value).to.have.length(1);
    expect(hands.app.masks.waiting$.value).to.equal(1);
    expect(puts()).to.have.length(0);
    await goOnline();
    expect(puts().map(({ body }) => body)).to.deep.equal([{ active: false, note: "New note" }]);
    expect(atServer()).to.deep.include({ active: false, note: "New note" });
    expect(shown()).to.deep.include({ active: false, note: "New note" });
    expect(waiting.changes$.value).to.deep.equal([]);
    expect(hands.app.masks.waiting$.value).to.equal(0);
    expect(toasts()).to.include("Mask updated successfully");
    hands.stop();
  });

  it("waits too where the browser is online and nothing reaches the server, which one message says", async () => {
    const { hands, waiting, shown, atServer, edit, switchTo, toasts } = await openEditing();
    hands.server.on("PUT", "/masks/:id", "unreachable");
    hands.server.on("GET", "/masks/:id", "unreachable");
    const switched = switchTo(false);
    await hands.clock.advance(60_000);
    expect(await switched).to.have.property("_tag", "Right");
    await edit({ note: "New note" });
    expect(shown()).to.deep.include({ active: false, note: "New note" });
    expect(waiting.changes$.value).to.have.length(1);
    expect(toasts().filter((text) => text !== "Connection issue. Please try again later.")).to.deep.equal([]);
    hands.server.on("GET", "/masks/:id", () => ({ json: shop }));
    hands.server.on("PUT", "/masks/:id", ({ body }) => {
      hands.product.setMasks([{ ...shop, ...(body as object) }]);
      return { json: hands.product.masks()[0] };
    });
    await hands.clock.advance(600_000);
    expect(atServer()).to.deep.include({ active: false, note: "New note" });
    expect(waiting.changes$.value).to.deep.equal([]);
    expect(waiting.replaced$.value).to.deep.equal([]);
    hands.stop();
  });

  it("shows no list again while nothing waits", async () => {
    const hands = await startApp({ masks: [shop] });
    const before = hands.app.masks.view$.value;
    hands.signedIn().feature(createWaitingMasks);
    await settled();
    expect(hands.app.masks.view$.value).to.equal(before);
    hands.stop();
  });

  it("of who may write is added to what waits, list by list, and can be taken back", async () => {
    const { hands, waiting, shown, edit, goOnline, puts } = await openEditing();
    hands.online$.set(false);
    await edit({ senders: { block: ["x.example"] } });
    await edit({ senders: { allow: ["y.example"] } });
    expect(shown()?.senders).to.deep.equal({ mode: "all", allow: ["y.example"], block: ["x.example"] });
    await goOnline();
    expect(puts().map(({ body }) => body)).to.deep.equal([
      { senders: { block: ["x.example"], allow: ["y.example"] } },
    ]);
    hands.online$.set(false);
    hands.product.setMasks([shop]);
    await hands.app.masks.refetch("shop")();
    await edit({ senders: { mode: "contacts" } });
    await edit({ senders: { mode: "all" } });
    expect(waiting.changes$.value).to.deep.equal([]);
    hands.stop();
  });

  it("of who may write is no conflict with another device's change of another list", async () => {
    const { hands, waiting, edit, goOnline } = await openEditing();
    hands.online$.set(false);
    await edit({ senders: { block: ["x.example"] } });
    hands.product.setMasks([{ ...shop, senders: { mode: "contacts", allow: [], block: [] } }]);
    await goOnline();
    expect(waiting.replaced$.value).to.deep.equal([]);
    hands.stop();
  });

  it("survives a reload, in which it is shown without a connection too", async () => {
    const first = await openEditing();
    const { storage, product, server } = first.hands;
    first.hands.online$.set(false);
    await first.edit({ description: "Corner Shop" });
    expect(first.hands.app.hasWaitingMasks()).to.equal(true);
    first.hands.stop();
    const online$ = createState(false);
    const again = await openEditing({ storage, product, server, online$ });
    expect(again.shown()).to.deep.include({ description: "Corner Shop" });
    await again.goOnline();
    expect(product.masks()[0]).to.deep.include({ description: "Corner Shop" });
    again.hands.stop();
  });

  it("that is taken back waits no longer", async () => {
    const { hands, waiting, switchTo, goOnline, puts, toasts } = await openEditing();
    hands.online$.set(false);
    await switchTo(false);
    await switchTo(true);
    expect(waiting.changes$.value).to.deep.equal([]);
    await goOnline();
    expect(puts()).to.have.length(0);
    expect(toasts()).to.have.length(1);
    hands.stop();
  });

  it("of a prefix is taken back by the prefix before", async () => {
    const user = createUser("ada@example.org", { subscription: { tier: "pro_premium", status: "active" } });
    const { hands, waiting, shown, edit, goOnline, puts } = await openEditing({ user });
    hands.online$.set(false);
    await edit({ customPrefix: "new" });
    expect(shown()).to.deep.include({ customPrefix: "new" });
    await edit({ customPrefix: "" });
    expect(waiting.changes$.value).to.deep.equal([]);
    await goOnline();
    expect(puts()).to.have.length(0);
    hands.stop();
  });

  it("of the first address is sent with the other ones that wait", async () => {
    const { hands, shown, edit, goOnline, puts } = await openEditing();
    hands.online$.set(false);
    await edit({ alsoTo: ["work@example.org"] });
    await edit({ forwardTo: "home@example.org" });
    expect(shown()).to.deep.include({
      forwardTo: "home@example.org",
      destinations: ["home@example.org", "work@example.org"],
    });
    await goOnline();
    expect(puts()[0]?.body).to.deep.include({ destinations: ["home@example.org", "work@example.org"] });
    hands.stop();
  });

  it("says that the browser has no room for it, and leaves the mask as it is", async () => {
    const { hands, waiting, shown, switchTo, toasts } = await openEditing();
    hands.online$.set(false);
    Object.assign(hands.storage.local, { write: () => false });
    const message = "This browser cannot keep the change. Free some space and try again.";
    expect(problemFrom(await switchTo(false)).message).to.equal(message);
    expect(toasts()).to.deep.equal([message]);
    expect(shown()?.active).to.not.equal(false);
    const created = await waiting.create(draftOf("Corner Shop"))();
    expect(problemFrom(created).message).to.contain("cannot keep the mask.");
    hands.stop();
  });

  it("is discarded by hand, and the mask is as the server has it", async () => {
    const { hands, waiting, shown, edit, goOnline, puts } = await openEditing();
    hands.online$.set(false);
    await edit({ note: "New note", spamFilter: false });
    expect(shown()?.settings).to.deep.include({ spamFilter: false });
    waiting.removeChange("shop");
    expect(shown()).to.deep.include({ note: "Old note" });
    expect(shown()?.settings).to.deep.include({ spamFilter: true });
    await goOnline();
    expect(puts()).to.have.length(0);
    hands.stop();
  });

  it("keeps an invalid form open, as with a connection", async () => {
    const { hands, waiting, edit } = await openEditing();
    hands.online$.set(false);
    const problem = problemFrom(await edit({ description: " " }));
    expect(problem.fields.map(({ field }) => field)).to.deep.equal(["description"]);
    expect(waiting.changes$.value).to.deep.equal([]);
    hands.stop();
  });

  it("stays with the reason when the server refuses it, is told once, and is sent again by hand", async () => {
    const { hands, waiting, shown, edit, goOnline, atServer, toasts } = await openEditing();
    hands.online$.set(false);
    await edit({ note: "New note" });
    hands.server.on("PUT", "/masks/:id", { status: 403, json: { message: "Your plan ended." } });
    await goOnline();
    expect(waiting.changes$.value[0]).to.deep.include({ refusal: "Your plan ended." });
    expect(shown()).to.deep.include({ note: "Old note" });
    expect(toasts()).to.include('"Shop" was not changed: Your plan ended.');
    await hands.clock.advance(600_000);
    expect(hands.server.requestsTo("PUT /masks/shop")).to.have.length(1);
    hands.server.on("PUT", "/masks/:id", ({ body }) => {
      hands.product.setMasks([{ ...shop, ...(body as object) }]);
      return { json: hands.product.masks()[0] };
    });
    waiting.sendAgain("shop");
    await settled();
    expect(atServer()).to.deep.include({ note: "New note" });
    expect(waiting.changes$.value).to.deep.equal([]);
    hands.stop();
  });

  it("of a mask that was deleted elsewhere meanwhile says so and can be discarded", async () => {
    const { hands, waiting, edit, goOnline } = await openEditing();
    hands.online$.set(false);
    await edit({ note: "New note" });
    hands.product.setMasks([]);
    await goOnline();
    expect(waiting.changes$.value[0]).to.deep.include({ refusal: "There is no such mask" });
    waiting.removeChange("shop");
    expect(hands.app.masks.waiting$.value).to.equal(0);
    hands.stop();
  });

  it("leaves what another device has changed in other fields, without a word", async () => {
    const { hands, waiting, edit, goOnline, atServer } = await openEditing();
    hands.online$.set(false);
    await edit({ note: "New note" });
    hands.product.setMasks([{ ...shop, labels: ["b"] }]);
    await goOnline();
    expect(atServer()).to.deep.include({ note: "New note", labels: ["b"] });
    expect(waiting.replaced$.value).to.deep.equal([]);
    hands.stop();
  });

  it("of the expiry is no conflict with the mail that arrives meanwhile", async () => {
    // biome-ignore lint/suspicious/noThenProperty: the contract's name
    const expiry = { mails: 10, mailsLeft: 7, idleDays: 5, idleAt: 1, then: "hold" } as const;
    const expiring = { ...shop, expiry };
    const { hands, waiting, edit, goOnline, atServer } = await openEditing({ masks: [expiring] });
    hands.online$.set(false);
    // biome-ignore lint/suspicious/noThenProperty: the contract's name
    await edit({ expiry: { mails: 20, idleDays: 5, then: "hold" } });
    hands.product.setMasks([{ ...expiring, expiry: { ...expiry, mailsLeft: 6, idleAt: 2 } }]);
    await goOnline();
    expect(atServer()?.expiry).to.deep.include({ mails: 20 });
    expect(waiting.replaced$.value).to.deep.equal([]);
    hands.stop();
  });

  it("says what it has replaced of another device, and puts that back", async () => {
    const { hands, waiting, edit, goOnline, atServer } = await openEditing();
    hands.online$.set(false);
    await edit({ note: "New note", description: "Corner Shop" });
    hands.product.setMasks([{ ...shop, note: "Their note", description: "Corner Shop" }]);
    await goOnline();
    expect(atServer()).to.deep.include({ note: "New note" });
    const [replaced] = waiting.replaced$.value;
    expect(replaced?.theirs).to.deep.equal({ note: "Their note" });
    if (replaced !== undefined) await waiting.takeTheirs(replaced)();
    expect(atServer()).to.deep.include({ note: "Their note", description: "Corner Shop" });
    expect(waiting.replaced$.value).to.deep.equal([]);
    hands.stop();
  });

  it("that was lost says what it has replaced, whether it was set before or after that", async () => {
    for (const isBefore of [true, false]) {
      const { hands, waiting, edit, goOnline, atServer } = await openEditing();
      const setTheirs = (): void => hands.product.setMasks([{ ...shop, note: "Their note" }]);
      hands.online$.set(false);
      await edit({ note: "New note" });
      if (isBefore) setTheirs();
      let isLost = true;
      hands.server.on("PUT", "/masks/:id", ({ body }) => {
        if (isLost) return "unreachable";
        hands.product.setMasks(hands.product.masks().map((one) => ({ ...one, ...(body as object) })));
        return { json: hands.product.masks()[0] };
      });
      await goOnline();
      isLost = false;
      if (!isBefore) setTheirs();
      await hands.clock.advance(600_000);
      expect(atServer()).to.deep.include({ note: "New note" });
      expect(waiting.replaced$.value.map(({ theirs }) => theirs)).to.deep.equal([{ note: "Their note" }]);
      hands.stop();
    }
  });

  it("whose answer was lost is not told as that of another device, also when more is edited", async () => {
    const { hands, waiting, edit, goOnline, atServer } = await openEditing();
    hands.online$.set(false);
    await edit({ note: "First" });
    let isLost = true;
    hands.server.on("PUT", "/masks/:id", ({ body }) => {
      hands.product.setMasks([{ ...shop, ...(body as object) }]);
      return isLost ? "unreachable" : { json: hands.product.masks()[0] };
    });
    await goOnline();
    expect(atServer()).to.deep.include({ note: "First" });
    await edit({ note: "Second" });
    await hands.clock.advance(10_000);
    await edit({ note: "Third" });
    isLost = false;
    await hands.clock.advance(600_000);
    expect(atServer()).to.deep.include({ note: "Third" });
    expect(waiting.replaced$.value).to.deep.equal([]);
    hands.stop();
  });

  it("is sent with what is edited after a lost attempt, and leaves the fields that are as they were", async () => {
    const { hands, waiting, edit, goOnline, atServer, puts } = await openEditing();
    hands.online$.set(false);
    await edit({ note: "First" });
    let isLost = true;
    hands.server.on("PUT", "/masks/:id", ({ body }) => {
      if (isLost) return "unreachable";
      hands.product.setMasks(hands.product.masks().map((one) => ({ ...one, ...(body as object) })));
      return { json: hands.product.masks()[0] };
    });
    await goOnline();
    hands.product.setMasks([{ ...shop, labels: ["theirs"] }]);
    await edit({ note: "Old note", description: "Corner Shop" });
    isLost = false;
    await hands.clock.advance(600_000);
    expect(puts().at(-1)?.body).to.deep.equal({ note: "Old note", description: "Corner Shop" });
    expect(atServer()).to.deep.include({ labels: ["theirs"], note: "Old note", description: "Corner Shop" });
    expect(waiting.replaced$.value).to.deep.equal([]);
    hands.stop();
  });

  it("sends no field again that was saved while another one was edited", async () => {
    const { hands, edit, goOnline, puts } = await openEditing();
    hands.online$.set(false);
    await edit({ note: "New note" });
    let isFirst = true;
    hands.server.on("PUT", "/masks/:id", ({ body }) => {
      if (isFirst) void edit({ note: "New note", description: "Corner Shop" });
      isFirst = false;
      hands.product.setMasks(hands.product.masks().map((one) => ({ ...one, ...(body as object) })));
      return { json: hands.product.masks()[0] };
    });
    await goOnline();
    await hands.clock.advance(600_000);
    expect(puts().map(({ body }) => body)).to.deep.equal([
      { note: "New note" },
      { description: "Corner Shop" },
    ]);
    hands.stop();
  });

  it("that is discarded or edited while the server is asked for the mask is not sent as it was", async () => {
    for (const isDiscarded of [true, false]) {
      const { hands, waiting, edit, goOnline, puts } = await openEditing();
      hands.online$.set(false);
      await edit({ note: "First" });
      hands.server.on("GET", "/masks/:id", () => {
        if (isDiscarded) waiting.removeChange("shop");
        else void edit({ note: "Second" });
        return { json: shop };
      });
      await goOnline();
      await hands.clock.advance(600_000);
      expect(puts().map(({ body }) => body)).to.deep.equal(isDiscarded ? [] : [{ note: "Second" }]);
      expect(waiting.changes$.value).to.deep.equal([]);
      hands.stop();
    }
  });

  it("does not overtake an edit that is made while it is sent", async () => {
    const { hands, waiting, edit, goOnline, atServer } = await openEditing();
    hands.online$.set(false);
    await edit({ note: "First" });
    hands.online$.set(true);
    await edit({ note: "Second" });
    await goOnline();
    await hands.clock.advance(600_000);
    expect(atServer()).to.deep.include({ note: "Second" });
    expect(waiting.changes$.value).to.deep.equal([]);
    hands.stop();
  });

  it("of another user on this device is neither shown nor sent", async () => {
    const first = await openEditing();
    const { storage, clock } = first.hands;
    first.hands.online$.set(false);
    await first.edit({ note: "New note" });
    first.hands.stop();
    const eve = await openEditing({ storage, clock, user: createUser("eve@example.org") });
    expect(eve.shown()).to.deep.include({ note: "Old note" });
    expect(eve.puts()).to.have.length(0);
    eve.hands.stop();
  });

  it("ends as the user left it, whatever is lost in between, by requests that repeat only themselves", async () => {
    const step = fc.oneof(
      fc.boolean().map((active) => ({ kind: "switch" as const, active })),
      fc.constantFrom("x", "y", "z").map((note) => ({ kind: "note" as const, note })),
      fc.constantFrom("offline", "online", "lost answer", "lost request", "wait").map((kind) => ({ kind })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { hands, waiting, atServer } = await openEditing();
        const bodies = new Map<string, string>();
        let mishap = "";
        hands.server.on("PUT", "/masks/:id", ({ body, headers, params }) => {
          const now = mishap;
          mishap = "";
          if (now === "lost request") return "unreachable";
          const id = headers["x-request-id"] ?? "";
          const text = JSON.stringify(body);
          expect(bodies.get(id) ?? text).to.equal(text);
          bodies.set(id, text);
          hands.product.setMasks(
            hands.product
              .masks()
              .map((one) => (one.id === params["id"] ? { ...one, ...(body as object) } : one)),
          );
          return now === "lost answer" ? "unreachable" : { json: hands.product.masks()[0] };
        });
        const wanted: { active?: boolean; note?: string } = {};
        const { masks } = hands.app;
        for (const one of steps) {
          if ("active" in one || "note" in one) {
            hands.online$.set(false);
            if ("active" in one) await masks.setActive("shop", one.active)();
            else await masks.edit("shop", { ...toMaskDraft(shop), note: one.note })();
            Object.assign(wanted, "active" in one ? { active: one.active } : { note: one.note });
          } else if (one.kind === "offline" || one.kind === "online")
            hands.online$.set(one.kind === "online");
          else if (one.kind === "wait") await hands.clock.advance(3_000);
          else mishap = one.kind;
          await settled();
        }
        mishap = "";
        hands.online$.set(true);
        await settled();
        await hands.clock.advance(600_000);
        await settled();
        expect(waiting.changes$.value).to.deep.equal([]);
        expect({ active: true, note: "Old note", ...wanted }).to.deep.equal({
          active: atServer()?.active,
          note: atServer()?.note,
        });
        hands.stop();
      }),
      { numRuns: 40 },
    );
  });
});
