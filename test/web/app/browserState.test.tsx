import "../../support/dom.ts";
import "../../../web/features/masks/MaskAddress.ts";
import "../../../web/features/masks/MaskDialogs.tsx";
import "../../../web/app/settings/SettingsTab.tsx";
import "../../../web/features/rules/RulesTab.tsx";
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { createMask, createUser } from "../../fakes/productServer.ts";
import { nextTask, useDom } from "../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks, openPage } from "../support/openPage.tsx";
import { atTheCode, email, enter } from "../support/signIn.ts";
import { shownTab, tabLink } from "../support/tabLink.ts";

/** Simulates the back (-1) or forward (1) button of the browser. */
const go = async (steps: number): Promise<void> => {
  await act(async () => {
    const moved = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    window.history.go(steps);
    await moved;
  });
};

/** Simulates a reload: storage and history are kept. */
const reload = async (page: OpenPage): Promise<OpenPage> => {
  const { state } = window.history;
  const { href } = window.location;
  closePages();
  // Unlike a page that is left, an unmounted dialog leaves its entry of the history, a task later.
  await nextTask();
  window.history.replaceState(state, "", href);
  const { user: _, ...device } = page;
  return openPage({ ...device, path: page.page.path$.value, isSignedIn: false });
};

describe("Reloading and navigating back and forward", () => {
  useDom();
  afterEach(closePages);

  it("stay on the tab after a reload, and move between visited tabs", async () => {
    const page = await openMasks();
    for (const name of ["Rules", "Settings"]) await page.user.click(tabLink(name));
    await go(-1);
    expect(shownTab()).to.equal("Rules");
    await go(-1);
    expect(shownTab()).to.equal("Masks");
    await go(2);
    expect(shownTab()).to.equal("Settings");
    await reload(page);
    await screen.findByRole("heading", { name: "Settings" });
    expect(shownTab()).to.equal("Settings");
  });

  it("close a dialog and stay on its tab; a dialog closed otherwise leaves no history entry", async () => {
    const page = await openMasks();
    await page.user.click(tabLink("Rules"));
    await page.user.click(tabLink("Masks"));
    await page.press("Create Mask");
    await screen.findByRole("dialog", { name: "Create Mask" });
    await go(-1);
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    expect(shownTab()).to.equal("Masks");
    await page.press("Create Mask");
    const dialog = within(await screen.findByRole("dialog", { name: "Create Mask" }));
    const left = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    await page.user.click(dialog.getByRole("button", { name: "Cancel" }));
    await act(async () => void (await left));
    await go(-1);
    expect(shownTab()).to.equal("Rules");
  });

  it("ask before discarding a half-written mask, which is restored after a reload", async () => {
    const page = await openMasks();
    await page.press("Create Mask");
    await screen.findByRole("dialog", { name: "Create Mask" });
    await page.type(/^Description/, "Half a shop");
    await go(-1);
    await screen.findByText("Discard what you typed?");
    const leaving = new window.Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).to.equal(true);
    await waitFor(() => expect(window.location.hash).to.equal("#masks/new"));
    const again = await reload(page);
    await screen.findByText("This is what you typed before the page was left. It is not saved yet.");
    expect(screen.getByLabelText(/^Description/)).to.have.property("value", "Half a shop");
    await again.press("Cancel");
    await again.press("Discard");
    await again.press("Create Mask");
    expect(screen.getByLabelText(/^Description/)).to.have.property("value", "");
  });

  it("keep a half-written rule after a reload", async () => {
    const page = await openPage({ masks: [createMask("a")] });
    await page.user.click(tabLink("Rules"));
    await page.user.click(await screen.findByRole("button", { name: "Create Rule" }));
    await page.type(/^Rule name/i, "Half a rule");
    const again = await reload(page);
    await again.user.click(await screen.findByRole("button", { name: "Create Rule" }));
    expect(screen.getByLabelText(/^Rule name/i)).to.have.property("value", "Half a rule");
  });

  it("return to the code step with its address and countdown, until the code is 10 minutes old", async () => {
    const page = await atTheCode();
    await page.advance(5_000);
    const again = await reload(page);
    await screen.findByLabelText("Verification code");
    screen.getByText(email);
    screen.getByRole("button", { name: /^Resend code in 2[45] s/ });
    await again.press("Use a different email");
    await again.press("I have a code");
    await screen.findByLabelText("Verification code");
    await page.clock.advance(600_000);
    await reload(again);
    expect(screen.queryByLabelText("Verification code")).to.equal(null);
    expect(screen.queryByRole("button", { name: "I have a code" })).to.equal(null);
  });

  it("return to the key step of a sign-in, until it is done or skipped", async () => {
    const noKey = { user: createUser(email, { keyStatus: "not-configured" as const }) };
    const page = await atTheCode(noKey);
    await enter(page, "Verification code", "123456");
    await screen.findByRole("heading", { name: "Encrypt your mail" });
    const again = await reload(page);
    await screen.findByRole("heading", { name: "Encrypt your mail" });
    await again.press("Not now");
    await screen.findByRole("heading", { name: "Your Email Masks" });
    await reload(again);
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });
});
