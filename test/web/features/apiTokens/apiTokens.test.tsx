import { named } from "../../../support/domainNames.ts";
import "../../../support/dom.ts";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { type ApiToken, toAddySpelling } from "../../../../core/apiTokens/apiTokenEndpoints.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { createApiToken, madeToken } from "../../../fakes/productApiTokens.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../support/openPage.tsx";
import { openSection } from "../../support/openTab.ts";

const inDays = (days: number): string => new Date(Date.now() + days * dayMs - 60_000).toISOString();

const openTokens = async (
  tokens: readonly ApiToken[] = [],
  before: (page: OpenPage) => void = () => {},
): Promise<OpenPage> => {
  const page = await openPage();
  page.product.apiTokens.set(tokens);
  before(page);
  await openSection(page, "Programs");
  await screen.findByRole("heading", { name: "API tokens" });
  await page.act(() => {});
  return page;
};

const row = (name: string): HTMLElement => {
  const found = within(screen.getByRole("list", { name: "API tokens" }))
    .getAllByRole("listitem")
    .find((item) => item.textContent?.startsWith(name));
  if (!found) throw new Error(`There is no token ${name}`);
  return found;
};

const openForm = async (page: OpenPage): Promise<HTMLElement> => {
  await page.press("Create API token");
  return screen.findByRole("dialog", { name: "Create API token" });
};

const make = async (page: OpenPage, name: string): Promise<void> => {
  await openForm(page);
  if (name !== "") await page.type("Program", name);
  await page.press("Create token");
};

const sent = (page: OpenPage): unknown => page.server.requestsTo("POST /account/api-tokens").at(-1)?.body;

describe("The API tokens in the settings", () => {
  useDom();
  afterEach(closePages);

  it("say what they are for while there is none", async () => {
    await openTokens();
    screen.getByText("No API tokens yet");
    screen.getByText(/a password manager creates a mask for each new login/);
  });

  it("are listed with what they may do, their end and their last use", async () => {
    await openTokens([
      createApiToken("1", {
        name: "Bitwarden",
        domain: named("own.example"),
        expires: inDays(5),
        lastUsed: new Date(Date.now() - 5 * 60_000).toISOString(),
        lastNetwork: "203.0.113.0/24",
      }),
      createApiToken("2", { name: "Backup", scopes: ["masks:read", "codes:read"] }),
      createApiToken("3", { name: "Old phone", expires: inDays(-3) }),
      createApiToken("4", { name: "Raycast", expires: inDays(40) }),
    ]);
    const bitwarden = row("Bitwarden");
    within(bitwarden).getByText("Ends in 5 days");
    within(bitwarden).getByText("Create masks");
    within(bitwarden).getByText(
      /^Last used: 5 minutes ago from 203\.0\.113\.0\/24 · Created Nov 20, 2026 · Ends .*· Only at own\.example$/,
    );
    within(row("Backup")).getByText("Not used yet · Created Nov 20, 2026 · Does not end");
    within(row("Backup")).getByText("See masks");
    within(row("Backup")).getByText("See codes");
    within(row("Old phone")).getByText("Ended");
    expect(within(row("Raycast")).queryByText(/^Ends in/)).to.equal(null);
  });

  it("are made for a password manager at first, shown once, and copied with what else is asked for", async () => {
    const page = await openTokens();
    await make(page, "Bitwarden");
    expect(sent(page)).to.deep.equal({
      name: "Bitwarden",
      scopes: ["masks:create"],
      domain: null,
      lifetimeDays: 90,
    });
    await screen.findByRole("alertdialog", { name: "Your API token" });
    screen.getByText("Enter it in Bitwarden now. It is shown only once.");
    await page.press(`Copy ${window.location.origin}`);
    expect(page.page.clipboard()).to.equal(window.location.origin);
    await page.press(`Copy ${madeToken}`);
    expect(page.page.clipboard()).to.equal(madeToken);
    await page.press("I have saved it");
    within(row("Bitwarden")).getByText(/^Not used yet/);
    expect(screen.queryByText(madeToken)).to.equal(null);
  });

  it("are shown as addy.io's programs spell keys too, where they manage masks, and copied so", async () => {
    const page = await openTokens();
    await make(page, "Bitwarden");
    await screen.findByRole("alertdialog", { name: "Your API token" });
    expect(screen.queryByText(/addy_io_/)).to.equal(null);
    await page.press("I have saved it");
    const form = await openForm(page);
    await page.type("Program", "Browser");
    await page.user.click(within(form).getByRole("radio", { name: "Apps and extensions" }));
    await page.press("Create token");
    await screen.findByText("API key in addy.io’s extension and apps");
    await page.press(`Copy ${toAddySpelling(madeToken)}`);
    expect(page.page.clipboard())
      .to.equal(toAddySpelling(madeToken))
      .and.match(/^addy_io_[a-z0-9]{48}$/);
    await page.user.keyboard("{Escape}");
    await page.act(() => {});
    expect(screen.queryByRole("alertdialog", { name: "Your API token" })).to.equal(null);
  });

  it("are not lost by Escape before they were copied", async () => {
    const page = await openTokens();
    await make(page, "Bitwarden");
    await page.user.keyboard("{Escape}");
    screen.getByText("Close without the token? It is never shown again.");
    await page.press("Keep it open");
    screen.getByText(madeToken);
    await page.press(`Copy ${window.location.origin}`);
    await page.user.keyboard("{Escape}");
    screen.getByText("Close without the token? It is never shown again.");
    const dialog = screen.getByRole("alertdialog", { name: "Your API token" });
    await page.user.click(within(dialog).getByRole("button", { name: "Close" }));
    await page.act(() => {});
    expect(screen.queryByText(madeToken)).to.equal(null);
  });

  it("are made for an app with all but the log, or with what is ticked, and for as long as chosen", async () => {
    const page = await openTokens();
    const form = await openForm(page);
    await page.type("Program", "Script");
    expect(within(form).queryByRole("checkbox")).to.equal(null);
    await page.user.click(within(form).getByRole("radio", { name: "Apps and extensions" }));
    await page.user.click(within(form).getByRole("radio", { name: "Custom" }));
    const ticked = (): readonly (string | undefined)[] =>
      within(form)
        .getAllByRole<HTMLInputElement>("checkbox")
        .filter(({ checked }) => checked)
        .map(({ labels }) => labels?.[0]?.textContent ?? "");
    expect(ticked()).to.deep.equal([
      "Create masks",
      "See masks",
      "Change masks",
      "Destinations",
      "Correspondents",
      "See the account",
    ]);
    for (const name of ["Change masks", "Destinations", "Correspondents", "See the account"])
      await page.user.click(within(form).getByRole("checkbox", { name }));
    await page.user.click(within(form).getByRole("checkbox", { name: "See the log" }));
    await page.user.click(within(form).getByRole("radio", { name: "Does not end" }));
    within(form).getByText("It works until you revoke it.");
    await page.press("Create token");
    expect(sent(page)).to.deep.equal({
      name: "Script",
      scopes: ["masks:create", "masks:read", "log:read"],
      domain: null,
      lifetimeDays: null,
    });
  });

  it("can be limited to a domain only while they make masks and nothing else, which the field says", async () => {
    const page = await openTokens();
    await openForm(page);
    expect(screen.queryByText("Domain")).to.equal(null);
    await page.user.keyboard("{Escape}");
    page.server.on("GET", "/domains", {
      json: {
        domains: [
          {
            id: "d1",
            kind: "own",
            name: "own.example",
            shownName: "own.example",
            state: "ready",
            records: [],
            checkedAt: null,
            lapsedSince: null,
            catchAll: "off",
            patterns: [],
            approveFirst: false,
            destination: null,
            masks: 0,
          },
        ],
        ownLeft: 9,
        subdomainsLeft: 1,
        under: "masks.example",
      },
    });
    const form = await openForm(page);
    await page.act(() => {});
    await page.type("Program", "Bitwarden");
    await page.user.click(within(form).getByRole("button", { name: /Domain/ }));
    await page.user.click(await screen.findByRole("option", { name: "own.example" }));
    await page.user.click(within(form).getByRole("radio", { name: "Apps and extensions" }));
    within(form).getByText("Only a token that can do nothing but create masks can be limited to one domain.");
    await page.press("Create token");
    expect(sent(page)).to.have.property("domain", null);
    for (const [choices, domain] of [
      [["own.example"], "own.example"],
      [["masks.example"], "masks.example"],
      [["own.example", "All your domains"], null],
    ] as const) {
      await page.press("I have saved it");
      const again = await openForm(page);
      await page.type("Program", `Program for ${choices.join()}`);
      for (const option of choices) {
        await page.user.click(within(again).getByRole("button", { name: /Domain/ }));
        await page.user.click(await screen.findByRole("option", { name: option }));
      }
      await page.press("Create token");
      expect(sent(page), choices.join()).to.have.property("domain", domain);
    }
  });

  it("need a name, and say what else the server refuses", async () => {
    const page = await openTokens();
    await make(page, "");
    screen.getByText("Name the program");
    expect(screen.getByLabelText("Program").getAttribute("aria-invalid")).to.equal("true");
    page.server.on("POST", "/account/api-tokens", {
      status: 409,
      json: { message: "You have 50 API tokens. Revoke one first." },
    });
    await page.type("Program", "One more");
    await page.press("Create token");
    screen.getByText("You have 50 API tokens. Revoke one first.");
  });

  it("are renamed", async () => {
    const page = await openTokens([createApiToken("1", { name: "Bitwarden" })]);
    await page.press("Rename: Bitwarden");
    const form = await screen.findByRole("dialog", { name: "Rename API token" });
    const field = within(form).getByLabelText("Program");
    await page.user.clear(field);
    await page.user.type(field, "Bitwarden at work{Enter}");
    await page.act(() => {});
    row("Bitwarden at work");
  });

  it("stay as they are when a dialog is left, or their name is not changed", async () => {
    const page = await openTokens([createApiToken("1", { name: "Bitwarden" })]);
    const before = page.server.requests.length;
    await page.press("Rename: Bitwarden");
    const form = await screen.findByRole("dialog", { name: "Rename API token" });
    await page.user.click(within(form).getByRole("button", { name: /^Rename/ }));
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    await page.press("Revoke: Bitwarden");
    await page.user.click(await screen.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).to.equal(null));
    row("Bitwarden");
    expect(page.server.requests.slice(before)).to.deep.equal([]);
  });

  it("are revoked after a question that names the program", async () => {
    const page = await openTokens([createApiToken("1", { name: "Bitwarden" })]);
    await page.press("Revoke: Bitwarden");
    const question = await screen.findByRole("alertdialog", { name: "Revoke the token of Bitwarden?" });
    within(question).getByText(/^Bitwarden stops working with your masks at once/);
    await page.user.click(within(question).getByRole("button", { name: /^Revoke/ }));
    await page.act(() => {});
    screen.getByText("API token revoked");
    screen.getByText("No API tokens yet");
    const title = screen.getByRole("heading", { name: "API tokens" });
    await waitFor(() => expect(document.activeElement).to.equal(title));
  });

  it("can be loaded again after a failure", async () => {
    const page = await openTokens([], ({ server }) =>
      server.on("GET", "/account/api-tokens", { status: 400, json: { message: "Not now" } }),
    );
    page.server.on("GET", "/account/api-tokens", { json: { tokens: [createApiToken("1")] } });
    const banner = screen.getByText("Not now").parentElement?.parentElement;
    await page.user.click(within(banner ?? document.body).getByRole("button", { name: "Try Again" }));
    await page.act(() => {});
    row("Program 1");
  });

  it("are revoked with all other sessions where the user wants that, which is off at first", async () => {
    const page = await openPage();
    page.product.apiTokens.set([createApiToken("1")]);
    await openSection(page, "Security");
    await page.press("End all other sessions");
    const question = await screen.findByRole("alertdialog", { name: "End all other sessions?" });
    const choice = within(question).getByRole<HTMLInputElement>("checkbox", {
      name: "Also revoke all API tokens",
    });
    expect(choice.checked).to.equal(false);
    within(question).getByText(/^You are logged out everywhere but on this device/);
    await page.user.click(choice);
    await page.user.click(within(question).getByRole("button", { name: /^End all others/ }));
    await page.act(() => {});
    screen.getByText("All other sessions ended, all API tokens revoked");
    expect(page.product.apiTokens.all()).to.deep.equal([]);
  });
});
