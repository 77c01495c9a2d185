import "../../../support/dom.ts";
import "../../../../web/app/commands/Keys.tsx";
import "../../../../web/app/commands/Commands.tsx";
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { settingsSections } from "../../../../web/app/settings/settingsSections.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../support/openPage.tsx";
import { openSection, openTab } from "../../support/openTab.ts";

const sections = () => within(screen.getByRole("navigation", { name: "Settings sections" }));

const focused = (): string => document.activeElement?.textContent ?? "";

const current = (): string => sections().getByRole("link", { current: "page" }).textContent ?? "";

const expectFocus = async (text: string): Promise<void> => {
  await waitFor(() => expect(focused()).to.equal(text));
};

const withProvider = {
  settings: {
    configuration: {
      brand: "Bauta",
      maskDomain: "masks.example",
      singleSignOn: { name: "Home", only: false },
    },
  },
};

const openAt = async (address: string, options: Parameters<typeof openPage>[0] = {}): Promise<OpenPage> => {
  window.history.replaceState(null, "", address);
  const page = await openPage(options);
  await screen.findByRole("heading", { name: "Settings", level: 1 });
  await page.act(() => {});
  return page;
};

const back = (): Promise<void> =>
  act(async () => {
    const moved = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    window.history.back();
    await moved;
  });

const chooseInPalette = async (page: OpenPage, text: string): Promise<void> => {
  await page.user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("combobox", { name: "Find a mask, a label, a screen or an action" });
  await page.user.keyboard(`${text}{Enter}`);
  await page.act(() => {});
  await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
};

describe("The sections of the settings", () => {
  useDom();
  afterEach(closePages);

  it("are links in a navigation, with the first one shown", async () => {
    const { panel } = await openTab("Settings");
    const links = sections().getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).to.deep.equal(
      ["account", "mail", "notifications", "masks", "security", "privacy", "domains", "programs", "data"].map(
        (id) => `#settings/${id}`,
      ),
    );
    expect(current()).to.match(/^General/);
    panel.getByRole("switch", { name: "Dark theme" });
    expect(window.location.hash).to.equal("#settings");
  });

  it("have an address each, move the focus to their heading, and the back button leads out", async () => {
    const page = await openTab("Settings");
    await openSection(page, "Security");
    expect(window.location.hash).to.equal("#settings/security");
    await expectFocus("Security Settings");
    expect(document.title).to.equal("Security · Settings · Bauta");
    screen.getByRole("article", { name: "Two-Factor Authentication" });
    await openSection(page, "Mail");
    await expectFocus("Mail");
    expect(screen.queryByRole("article", { name: "Two-Factor Authentication" })).to.equal(null);
    await back();
    await expectFocus("Security Settings");
    await back();
    expect(current()).to.match(/^General/);
    expect(document.activeElement, "the section that was left").to.equal(
      sections().getByRole("link", { name: "Security" }),
    );
    expect(document.title).to.equal("Settings · Bauta");
  });

  it("are shown by an address that is typed or kept, with or without a slash before it", async () => {
    await openAt("/#/settings/masks");
    expect(current()).to.match(/^Masks/);
    await expectFocus("Masks");
    closePages();
    await openAt("/#settings/mail/held-notices");
    await expectFocus("Daily notice of held mail");
    closePages();
    await openAt("/#settings/nothing-of-this-name");
    expect(current()).to.match(/^General/);
  });

  it("and their cards are found by the palette, which focuses their headings", async () => {
    const page = await openTab("Masks");
    await chooseInPalette(page, "sessions");
    expect(window.location.hash).to.equal("#settings/security/sessions");
    await expectFocus("Sessions");
    await chooseInPalette(page, "import masks");
    expect(current()).to.match(/^Data/);
    await expectFocus("Import masks");
    await chooseInPalette(page, "export my");
    await expectFocus("Export my data");
    (document.activeElement as HTMLElement).blur();
    await chooseInPalette(page, "export my");
    await expectFocus("Export my data");
  });

  it("show the cards that the palette finds, and no others, each with the focus at its address", async () => {
    for (const { path, title: sectionTitle, cards } of settingsSections) {
      const named = cards.filter(({ title }) => title !== null);
      await openAt(`/#${path.join("/")}`, withProvider);
      const shown = await waitFor(() => {
        const titles = [...document.querySelectorAll<HTMLElement>("main :is(h3, h4)[id][tabindex='-1']")];
        expect(titles, sectionTitle).to.have.length.at.least(named.length);
        return titles;
      });
      expect(shown.map(({ id, textContent }) => `${id} ${textContent}`)).to.deep.equal(
        named.map(({ id, title }) => `${id} ${title}`),
      );
      closePages();
    }
    for (const [address, title] of [
      ["security/passkeys", "Passkeys"],
      ["account/identities", "Single sign-on"],
      ["mail/invitations", "Answer invitations through the mask"],
    ]) {
      await openAt(`/#settings/${address}`, withProvider);
      await expectFocus(title ?? "");
      closePages();
    }
  });

  it("are named by the palette where the server has what they need", async () => {
    const page = await openTab("Masks");
    await chooseInPalette(page, "your account");
    await expectFocus("Your account");
    await page.user.keyboard("{Control>}k{/Control}");
    await page.user.keyboard("single sign");
    expect(screen.queryByRole("option", { name: /Single sign-on/ })).to.equal(null);
  });

  it("keep the focus where it was when a dialog of theirs closes", async () => {
    const page = await openTab("Settings");
    await openSection(page, "Security");
    const button = screen.getByRole("button", { name: "Setup 2FA" });
    await page.user.click(button);
    await screen.findByRole("dialog", { name: "Set up two-factor authentication" });
    await page.user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).to.equal(button));
    await page.advance(1_000);
    expect(document.activeElement).to.equal(button);
  });
});
