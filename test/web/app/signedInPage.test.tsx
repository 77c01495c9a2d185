import "../../support/dom.ts";
import { act, screen, within } from "@testing-library/react";
import { expect } from "chai";
import { useDom } from "../../support/jsdom.ts";
import { closePages, openMasks, openPage } from "../support/openPage.tsx";

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

  it("has five tabs, masks first, and sets the document title to the selected one (SH1)", async () => {
    const page = await openMasks();
    const names = screen.getAllByRole("tab").map(({ textContent }) => textContent);
    expect(names).to.deep.equal(["Masks", "Rules", "Insights", "Settings", "Account"]);
    expect(screen.getByRole("tab", { selected: true }).textContent).to.equal("Masks");
    expect(document.title).to.equal("Masks · Bauta");
    for (const [tab, heading] of [
      ["Rules", "Custom Rules"],
      ["Insights", "Email Insights"],
      ["Settings", "Settings"],
      ["Account", "Your Account"],
    ] as const) {
      await page.user.click(screen.getByRole("tab", { name: tab }));
      within(await screen.findByRole("tabpanel", { name: tab })).getByRole("heading", {
        level: 1,
        name: heading,
      });
      expect(document.title).to.equal(`${tab} · Bauta`);
    }
    expect(page.page.path$.value).to.equal("/");
  });

  it("moves through the tabs by the arrow keys, and keeps the focus on the tab bar", async () => {
    const page = await openMasks();
    act(() => screen.getByRole("tab", { name: "Masks" }).focus());
    await page.user.keyboard("{ArrowLeft}");
    await screen.findByRole("heading", { name: "Your Account" });
    expect(document.activeElement).to.equal(screen.getByRole("tab", { name: "Account" }));
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
