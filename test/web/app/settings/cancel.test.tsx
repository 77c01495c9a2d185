import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createApiToken } from "../../../fakes/productApiTokens.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, openPage } from "../../support/openPage.tsx";
import { openSection } from "../../support/openTab.ts";

/** Where a dialog is, the button that opens it, and its name. */
const dialogs = [
  ["Domains", "Add domain", "Add domain"],
  ["Domains", "Claim a name at masks.example", "Claim a name"],
  ["Mail", "Add address", "Add address"],
  ["Programs", "Create app password", "Create app password"],
  ["Programs", "Create API token", "Create API token"],
  ["Programs", "Rename: Bitwarden", "Rename API token"],
  ["Programs", "Revoke: Bitwarden", "Revoke the token of Bitwarden?"],
  ["Programs", "Add webhook", "Add webhook"],
  ["Security", "End all other sessions", "End all other sessions?"],
] as const;

describe("Cancel in a dialog of the settings", () => {
  useDom();
  afterEach(closePages);

  for (const [section, opener, name] of dialogs)
    it(`closes "${name}", and nothing is sent`, async () => {
      const page = await openPage();
      page.product.apiTokens.set([createApiToken("1", { name: "Bitwarden" })]);
      await openSection(page, section);
      await screen.findByRole("button", { name: (text) => text.startsWith(opener) });
      await page.press(opener);
      const isDialog = (role: "dialog" | "alertdialog") => screen.queryByRole(role, { name });
      await page.act(() => {});
      const dialog = isDialog("alertdialog") ?? (await screen.findByRole("dialog", { name }));
      const writes = () => page.server.requests.filter(({ method }) => method !== "GET").length;
      const before = writes();
      await page.user.click(within(dialog).getByRole("button", { name: /^Cancel/ }));
      await page.act(() => {});
      expect(isDialog("dialog") ?? isDialog("alertdialog")).to.equal(null);
      expect(writes()).to.equal(before);
    });
});
