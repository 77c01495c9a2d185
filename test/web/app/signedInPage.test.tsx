import "../../support/dom.ts";
import { act, createEvent, fireEvent, screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createUser } from "../../fakes/productServer.ts";
import { useDom } from "../../support/jsdom.ts";
import { closePages, openMasks, openPage } from "../support/openPage.tsx";
import { shownTab, tabLink } from "../support/tabLink.ts";

describe("The signed-in page", () => {
  useDom();
  afterEach(closePages);

  it("shows the brand, the user's address and a logout button (SH1)", async () => {
    const page = await openMasks();
    const header = within(screen.getByRole("banner"));
    header.getByText("Bauta");
    header.getByText("ada@example.org");
    await page.press("Log out");
    screen.getByRole("heading", { name: "Sign in to Bauta" });
    expect(page.page.path$.value).to.equal("/login");
    expect(page.server.requestsTo("POST /logout")).to.have.length(1);
  });

  it("has links to five tabs, masks first, and sets the document title to the shown one (SH1)", async () => {
    const page = await openMasks();
    const links = within(screen.getByRole("navigation", { name: "Main" })).getAllByRole("link");
    expect(links.map(({ textContent }) => textContent)).to.deep.equal([
      "Masks",
      "Rules",
      "Insights",
      "Settings",
      "Account",
    ]);
    expect(links.map((link) => link.getAttribute("href"))).to.deep.equal([
      "#masks",
      "#rules",
      "#insights",
      "#settings",
      "#account",
    ]);
    expect(shownTab()).to.equal("Masks");
    expect(document.title).to.equal("Masks · Bauta");
    for (const [tab, heading] of [
      ["Rules", "Custom Rules"],
      ["Insights", "Email Insights"],
      ["Settings", "Settings"],
      ["Account", "Your Account"],
    ] as const) {
      await page.user.click(tabLink(tab));
      within(await screen.findByRole("main", { name: tab })).getByRole("heading", {
        level: 1,
        name: heading,
      });
      expect(document.title).to.equal(`${tab} · Bauta`);
      expect(shownTab()).to.equal(tab);
      expect(tabLink(tab).getAttribute("aria-current")).to.equal("page");
    }
    expect(page.page.path$.value).to.equal("/");
  });

  it("leads to held mail, whose number it shows, and to the log with one press", async () => {
    const account = { ...createUser("ada@example.org"), usage: { masks: {}, emails: {}, held: 3 } };
    const page = await openMasks({
      before: ({ server }) => server.on("GET", "/account", { json: account }),
    });
    const mail = within(screen.getByRole("navigation", { name: "Held mail and log" }));
    await page.user.click(mail.getByRole("link", { name: "Held mail 3 held" }));
    await screen.findByRole("heading", { name: "Held mail" });
    await page.user.click(mail.getByRole("link", { name: "Log" }));
    await screen.findByRole("heading", { name: "Log" });
    screen.getByRole("button", { name: "More 3 held" });
  });

  it("goes on in the content after a link of the navigation was followed by keyboard", async () => {
    const page = await openMasks();
    act(() => tabLink("Account").focus());
    await page.user.keyboard("{Enter}");
    await screen.findByRole("heading", { name: "Your Account" });
    const main = screen.getByRole("main", { name: "Account" });
    expect(document.activeElement).to.equal(main);
    await page.user.tab();
    expect(main.contains(document.activeElement)).to.equal(true);
  });

  it("leaves a click with a modifier key or another button to the browser, which opens another tab", async () => {
    await openMasks();
    const link = tabLink("Rules");
    for (const how of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }]) {
      const followed = createEvent.click(link, how);
      fireEvent(link, followed);
      expect(followed.defaultPrevented, JSON.stringify(how)).to.equal(false);
    }
    expect(shownTab()).to.equal("Masks");
    const plain = createEvent.click(link);
    fireEvent(link, plain);
    expect(plain.defaultPrevented).to.equal(true);
    expect(shownTab()).to.equal("Rules");
  });

  it("begins with a link that skips the header, and leaves the address as it is", async () => {
    const page = await openMasks();
    const address = window.location.href;
    act(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.user.tab();
    expect(document.activeElement?.textContent).to.equal("Skip to content");
    await page.user.keyboard("{Enter}");
    expect(document.activeElement).to.equal(screen.getByRole("main"));
    expect(window.location.href).to.equal(address);
  });

  it("moves the focus to the top of the page after signing in", async () => {
    const page = await openPage({ isSignedIn: false, path: "/login" });
    await page.type("Email address", "ada@example.org");
    await page.press("Log in");
    await page.advance(500);
    await page.user.type(screen.getByLabelText("Verification code"), "123456");
    await screen.findByRole("heading", { name: "Your Email Masks" });
    expect(document.activeElement?.contains(screen.getByRole("banner"))).to.equal(true);
    expect(document.activeElement).to.not.equal(document.body);
  });

  it("shows the state of the connection in a status region (SH2)", async () => {
    const page = await openMasks();
    const state = (): string => within(screen.getByRole("banner")).getByRole("status").textContent ?? "";
    expect(state()).to.equal("Connecting");
    await page.act(page.sockets.latest().accept);
    expect(state()).to.equal("Connected");
    await page.act(() => page.sockets.latest().drop(1006));
    expect(state()).to.equal("Offline");
  });
});
