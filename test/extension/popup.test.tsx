import "../support/dom.ts";
import { act, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "chai";
import type { HeldMail } from "../../core/held/heldMail.ts";
import type { Mask } from "../../core/masks/mask.ts";
import type { Connection } from "../../extension/connection/connection.ts";
import type { ExtensionApi, InjectedScript } from "../../extension/extensionApi.ts";
import { Popup } from "../../extension/popup/Popup.tsx";
import { createFakePorts, type FakePortOptions, type FakePorts } from "../fakes/fakePorts.ts";
import { createMask, type ProductServer, serveProduct, tokenOf } from "../fakes/productServer.ts";
import { settled } from "../fakes/virtualClock.ts";
import { useDom } from "../support/jsdom.ts";

const server = "https://mail.example.org";

const connectionWith = (more: Partial<Connection> = {}): Connection => ({
  server,
  token: tokenOf("ada@example.org"),
  tokenId: "t1",
  name: "Firefox on Linux",
  scopes: ["masks:create", "masks:read", "masks:write", "log:read"],
  ...more,
});

const settings = { keep: "address", days: 30, encrypted: false };
const entryFrom = (from: string) => ({
  id: "e1",
  at: "2026-11-01T10:00:00.000Z",
  direction: "received",
  maskId: "shop",
  result: "delivered",
  detail: { from, cause: "forwarded" },
  sealed: null,
  steps: [],
});

interface OpenPopup extends FakePorts {
  readonly product: ProductServer;
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly optionsOpened: () => number;
  /** The sites that access was asked for, the scripts that were run, and the kinds of messages to the page. */
  readonly asked: readonly string[];
  readonly press: (name: string | RegExp) => Promise<void>;
  readonly wait: () => Promise<void>;
}

interface PopupAt extends FakePortOptions {
  /** Whether the user has allowed this site. */
  readonly isAllowed?: boolean;
  readonly site?: string | null;
  readonly masks?: readonly Mask[];
  readonly connection?: Connection | null;
  readonly before?: (fakes: FakePorts) => void;
}

const openPopup = async ({
  site = "www.shop.example",
  masks = [],
  connection,
  isAllowed = true,
  before,
  ...ports
}: PopupAt) => {
  const fakes = createFakePorts(ports);
  const product = serveProduct(fakes.server, { masks });
  fakes.server.on("GET", "/held", { json: { mails: [], more: false } });
  before?.(fakes);
  let opened = 0;
  const asked: string[] = [];
  const api = {
    runtime: {
      openOptionsPage: async () => {
        opened += 1;
      },
    },
    permissions: {
      contains: async () => isAllowed,
      request: async ({ origins }: { readonly origins: readonly string[] }) => {
        asked.push(...origins);
        return true;
      },
    },
    scripting: { executeScript: async ({ files }: InjectedScript) => void asked.push(...files) },
    tabs: {
      sendMessage: async (_tab: number, { kind }: { readonly kind: string }) => void asked.push(kind),
    },
  } as unknown as ExtensionApi;
  const connected = connection === undefined ? connectionWith() : connection;
  const page = site === null ? null : { tabId: 1, origin: `https://${site}`, site };
  const view = render(<Popup api={api} ports={fakes.ports} initialConnection={connected} page={page} />);
  const user = userEvent.setup({ delay: null });
  const wait = (): Promise<void> => act(async () => settled());
  await wait();
  const popup: OpenPopup & { readonly close: () => void } = {
    ...fakes,
    product,
    user,
    optionsOpened: () => opened,
    asked,
    wait,
    press: async (name) => {
      await user.click(screen.getByRole("button", { name }));
      await wait();
    },
    close: view.unmount,
  };
  return popup;
};

const rows = (list: string): readonly string[] =>
  within(screen.getByRole("list", { name: list }))
    .getAllByRole("listitem")
    .map((row) => row.textContent ?? "");

describe("The popup of the extension", () => {
  useDom();

  const shop = createMask("shop", { description: "Shop", madeFor: "shop.example" });
  const news = createMask("news", { description: "News" });

  it("leads a browser that is not connected to the options", async () => {
    const popup = await openPopup({ connection: null, site: null });
    await popup.press("Enter a token");
    expect(popup.optionsOpened()).to.equal(1);
    expect(popup.server.requests).to.have.lengthOf(0);
  });

  it("asks nothing of a page before the user has named it as the server, and has no key press begin that", async () => {
    const popup = await openPopup({ connection: null, site: "shop.example" });
    await popup.user.keyboard("{Enter}");
    await popup.press("Connect to shop.example");
    expect(screen.getByText(/^Is shop\.example your Bauta server\?/)).to.not.equal(null);
    await popup.user.keyboard("{Enter}");
    expect(popup.asked).to.deep.equal([]);
    await popup.press("Connect to shop.example");
    await popup.press("shop.example is my server");
    expect(popup.asked).to.deep.equal(["connect.js", "handover"]);
    expect(screen.getByText(/^Now press “Connect this browser” on shop\.example/)).to.not.equal(null);
  });

  it("shows the masks of this site before the others, which a search finds", async () => {
    const popup = await openPopup({ masks: [news, shop] });
    expect(rows("Masks for www.shop.example")).to.have.lengthOf(1);
    expect(rows("Other masks")[0]).to.contain("News");
    await popup.user.type(screen.getByRole("searchbox", { name: "Search your other masks" }), "nothing");
    expect(screen.getByText("No matching masks.")).to.not.equal(null);
    await popup.user.clear(screen.getByRole("searchbox", { name: "Search your other masks" }));
    await popup.user.type(screen.getByRole("searchbox", { name: "Search your other masks" }), "new");
    expect(rows("Other masks")).to.have.lengthOf(1);
  });

  it("creates the mask of a site at the default destination, copies it and shows it first", async () => {
    const popup = await openPopup({});
    await popup.press(/^Create mask for www\.shop\.example/);
    const [{ body } = { body: null }] = popup.server.requestsTo("POST /masks");
    expect(body).to.include({ description: "www.shop.example", madeFor: "www.shop.example" });
    expect(body).not.to.have.any.keys("forwardTo", "destinations");
    const [made] = popup.product.masks();
    expect(popup.page.clipboard()).to.equal(made?.maskEmail);
  });

  it("switches a mask off, and on again by its toast", async () => {
    const popup = await openPopup({ masks: [shop] });
    await popup.user.click(screen.getByRole("switch", { name: "Shop is on" }));
    await popup.wait();
    expect(popup.product.masks()[0]?.active).to.equal(false);
    await popup.press("Undo");
    expect(popup.product.masks()[0]?.active).to.equal(true);
  });

  it("blocks the sender of the last mail, and takes that back", async () => {
    const popup = await openPopup({
      masks: [shop],
      before: (fakes) => {
        fakes.server.on("GET", "/log", {
          json: { settings, mails: [entryFrom("ads@shop.example")], more: false },
        });
        fakes.server.on("PUT", "/masks/:id/senders/:sender", { json: { before: null } });
        fakes.server.on("DELETE", "/masks/:id/senders/:sender", { status: 204 });
      },
    });
    await popup.press(/^Block the last sender/);
    expect(popup.server.requestsTo("PUT /masks/shop/senders/ads%40shop.example")).to.have.lengthOf(1);
    expect(screen.getByText("ads@shop.example is blocked")).to.not.equal(null);
    await popup.press("Undo");
    expect(popup.server.requestsTo("DELETE /masks/shop/senders/ads%40shop.example")).to.have.lengthOf(1);
  });

  for (const [what, page, sentence] of [
    ["is switched off", { settings: { ...settings, keep: "off" }, mails: [] }, /log is switched off/],
    ["has no mail", { settings, mails: [] }, /has no mail to this mask yet/],
    [
      "is encrypted",
      { settings, mails: [{ ...entryFrom(""), detail: null, sealed: "wcB" }] },
      /encrypted to your key/,
    ],
  ] as const)
    it(`says why no sender can be blocked where the log ${what}`, async () => {
      const popup = await openPopup({
        masks: [shop],
        before: (fakes) => fakes.server.on("GET", "/log", { json: { ...page, more: false } }),
      });
      await popup.press(/^Block the last sender/);
      expect(screen.getByText(sentence)).to.not.equal(null);
    });

  it("asks for access to the site alone, where there is none, and shows the button there at once", async () => {
    const popup = await openPopup({ isAllowed: false });
    await popup.press("Show the button in fields of this site");
    expect(popup.asked).to.deep.equal([
      "https://shop.example/*",
      "http://shop.example/*",
      "https://*.shop.example/*",
      "http://*.shop.example/*",
      "content.js",
    ]);
    expect(screen.queryByRole("button", { name: /^Show the button/ })).to.equal(null);
  });

  it("says how many mails are held, and leads to them", async () => {
    const mails = ["h1", "h2"].map(
      (id): HeldMail => ({
        id,
        maskId: "shop",
        direction: "received",
        reason: "spam",
        from: null,
        subject: null,
        recipient: "",
        size: 900,
        answer: null,
        held: "2026-11-01T10:00:00.000Z",
        until: "2026-11-08T10:00:00.000Z",
      }),
    );
    await openPopup({ before: (fakes) => fakes.server.on("GET", "/held", { json: { mails, more: false } }) });
    const link = screen.getByRole("link", { name: "2 held emails" });
    expect(link.getAttribute("href")).to.equal(`${server}/#held`);
  });

  const withCodes = createMask("shop", {
    description: "Shop",
    madeFor: "shop.example",
    settings: { spamFilter: true, rules: [], showCodes: true },
  });

  it("switches on that the codes of a mask are shown, which costs what it says", async () => {
    const popup = await openPopup({
      masks: [shop],
      connection: connectionWith({ scopes: ["masks:create", "masks:read", "masks:write", "codes:read"] }),
    });
    expect(popup.server.requestsTo("GET /masks/shop/codes")).to.deep.equal([]);
    expect(screen.getByText(/found before it is encrypted, and kept for 10 minutes/)).to.not.equal(null);
    await popup.user.click(screen.getByRole("switch", { name: "Show codes at once" }));
    await popup.wait();
    expect(popup.server.requestsTo("PUT /masks/shop").map(({ body }) => body)).to.deep.equal([
      { settings: { showCodes: true } },
    ]);
  });

  it("shows the newest code of the site's mask, and copies it", async () => {
    const code = {
      id: "c1",
      maskId: "shop",
      receivedAt: "2026-11-01T10:00:00.000Z",
      expiresAt: "2026-11-01T10:10:00.000Z",
    };
    const popup = await openPopup({
      masks: [withCodes],
      connection: connectionWith({ scopes: ["masks:create", "masks:read", "masks:write", "codes:read"] }),
      before: (fakes) =>
        fakes.server.on("GET", "/masks/:id/codes", {
          json: {
            codes: [
              { ...code, code: "4821 99", sender: "shop.example" },
              { ...code, id: "c0", code: "111111" },
            ],
          },
        }),
    });
    await popup.press("Copy the code 4821 99");
    expect(popup.page.clipboard()).to.equal("4821 99");
  });

  it("says that a code is encrypted where the account has a key", async () => {
    await openPopup({
      masks: [withCodes],
      connection: connectionWith({ scopes: ["masks:create", "masks:read", "masks:write", "codes:read"] }),
      before: (fakes) =>
        fakes.server.on("GET", "/masks/:id/codes", {
          json: { codes: [{ id: "c1", maskId: "shop", receivedAt: "", expiresAt: "", sealed: "wcB" }] },
        }),
    });
    expect(screen.getByText("A code is encrypted to your key. Read it in the app.")).to.not.equal(null);
  });

  it("offers nothing that its token may not do", async () => {
    const popup = await openPopup({
      masks: [shop],
      connection: connectionWith({ scopes: ["masks:create", "masks:read", "masks:write"] }),
    });
    expect(screen.queryByRole("button", { name: /^Block the last sender/ })).to.equal(null);
    expect(popup.server.requestsTo("GET /held")).to.have.lengthOf(0);
  });

  it("shows the last known masks without a network, and makes a new one when there is one again", async () => {
    const first = await openPopup({ masks: [shop] });
    await act(() => first.clock.advance(300));
    first.close();
    const popup = await openPopup({
      masks: [shop],
      storage: first.storage,
      clock: first.clock,
      before: ({ server: away, online$ }) => {
        away.cutOff(true);
        online$.set(false);
      },
    });
    expect(rows("Masks for www.shop.example")).to.have.lengthOf(1);
    await popup.user.click(screen.getByRole("switch", { name: "Shop is on" }));
    await popup.wait();
    await popup.press(/^Create another mask/);
    expect(screen.getByText("Waiting for a connection: 1 new mask and 1 changed mask.")).to.not.equal(null);
    expect(popup.server.requestsTo("POST /masks")).to.have.lengthOf(0);
    await act(async () => {
      popup.server.cutOff(false);
      popup.online$.set(true);
      await popup.clock.advance(5_000);
    });
    expect(popup.product.masks().map(({ active }) => active)).to.have.members([true, false]);
    expect(screen.queryByText(/^Waiting for a connection/)).to.equal(null);
  });

  it("says that the token was revoked, and leads on", async () => {
    const popup = await openPopup({ connection: connectionWith({ token: "bauta_revoked" }) });
    expect(screen.getByText("The server refuses the token of this browser")).to.not.equal(null);
    await popup.press("Connect again");
    expect(popup.optionsOpened()).to.equal(1);
  });
});
