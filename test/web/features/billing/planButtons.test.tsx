import "../../../support/dom.ts";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import type { Tier } from "../../../../core/tiers/tier.ts";
import type { AppOnFakesOptions } from "../../../fakes/appOnFakes.ts";
import { createUser } from "../../../fakes/productServer.ts";
import { sellingConfiguration } from "../../../fakes/sellingConfiguration.ts";
import { useDom } from "../../../support/jsdom.ts";
import { beginning, closePages } from "../../support/openPage.tsx";
import { openSection, openTab } from "../../support/openTab.ts";

describe("The buttons that change the plan", () => {
  useDom();
  const opened: { href: string; closed: boolean }[] = [];
  let open: typeof window.open;
  beforeEach(() => {
    opened.length = 0;
    open = window.open;
    window.open = () => {
      const tab = { href: "", closed: false };
      opened.push(tab);
      return { location: tab, close: () => Object.assign(tab, { closed: true }) } as unknown as Window;
    };
  });
  afterEach(() => {
    window.open = open;
    closePages();
  });

  const openAccount = async (
    subscription: { tier: Tier; status?: string; isPaid?: boolean; endsAt?: string },
    options: AppOnFakesOptions = {},
  ) => {
    const page = await openTab("Account", {
      settings: { configuration: sellingConfiguration },
      user: createUser("ada@example.org", { subscription: { status: "active", ...subscription } }),
      ...options,
    });
    page.server.on("POST", "/billing/checkout", {
      json: { clientSecret: "cs_1_secret", checkoutSessionId: "cs_1" },
    });
    page.server.on("POST", "/billing/settle", { json: { tier: "pro", status: "active" } });
    page.server.on("POST", "/billing/portal", { json: { url: "https://billing.example/1" } });
    return page;
  };
  const dialog = () => within(screen.getByRole("dialog", { name: "Upgrade Your Plan" }));
  const button = (name: string) => screen.queryByRole("button", { name: beginning(name) });

  it("are Upgrade Plan and Manage Plan; the highest plan has no upgrade (AC1)", async () => {
    for (const tier of ["free", "basic", "pro"] as const) {
      await openAccount({ tier });
      expect(button("Upgrade Plan"), tier).not.to.equal(null);
      expect(button("Manage Plan"), tier).not.to.equal(null);
      closePages();
    }
    for (const tier of ["pro_premium", "business"] as const) {
      await openAccount({ tier });
      expect(button("Upgrade Plan"), tier).to.equal(null);
      expect(button("Manage Plan"), tier).not.to.equal(null);
      closePages();
    }
  });

  it("explain where payment is not configured (D38)", async () => {
    const { panel } = await openAccount({ tier: "free" }, { settings: {} });
    panel.getByText("Payment is not set up on this server.");
    expect(button("Upgrade Plan")).to.equal(null);
    expect(button("Manage Plan")).to.equal(null);
  });

  it("lead through selection and payment to the new plan, with one toast (AC6)", async () => {
    const page = await openAccount({ tier: "basic" });
    await page.press("Choose a plan here");
    const shown = await screen.findByRole("dialog", { name: "Upgrade Your Plan" });
    const names = within(shown)
      .getAllByRole("radio")
      .map((radio) => radio.getAttribute("value"));
    expect(names, "those above what one has").to.deep.equal(["pro", "pro_premium"]);
    await page.user.click(within(shown).getByRole("radio", { name: /^Premium/ }));
    await page.user.click(within(shown).getByRole("radio", { name: /^Pro\s*\$/ }));
    await page.press("Continue with Pro");
    await waitFor(() => expect(page.paymentForms.shown()).not.to.equal(undefined));
    const { elementId = "" } = page.paymentForms.shown() ?? {};
    expect(document.getElementById(elementId), "the form has its place").not.to.equal(null);
    dialog().getByText(/\$6\.99 a month/);
    page.server.on("GET", "/account", {
      json: createUser("ada@example.org", { subscription: { tier: "pro", status: "active", isPaid: true } }),
    });
    await page.act(page.paymentForms.pay);
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    expect(screen.getAllByText("Subscription successful! Your plan has been upgraded.")).to.have.length(1);
    page.panel.getByText("Pro");
    expect(opened).to.deep.equal([]);
  });

  it("show why the payment form fails to load, and retry", async () => {
    const page = await openAccount({ tier: "free" });
    page.paymentForms.setReachable(false);
    await page.press("Choose a plan here");
    await screen.findByRole("dialog");
    await page.press("Continue with Basic");
    within(await screen.findByRole("alert")).getByText(
      "The payment form could not be loaded. Check your connection, then try again.",
    );
    page.paymentForms.setReachable(true);
    await page.press("Try Again");
    await waitFor(() => expect(page.paymentForms.shown()).not.to.equal(undefined));
    expect(screen.queryByRole("alert")).to.equal(null);
  });

  it("go back from the payment to the selection, and close on Escape without leaving a form open", async () => {
    const page = await openAccount({ tier: "free" });
    await page.press("Choose a plan here");
    await screen.findByRole("dialog");
    await page.press("Continue with Basic");
    await waitFor(() => expect(page.paymentForms.shown()).not.to.equal(undefined));
    await page.press("Back");
    expect(page.paymentForms.shown()).to.equal(undefined);
    expect(dialog().getByRole<HTMLInputElement>("radio", { name: /^Basic/ }).checked).to.equal(true);
    await page.press("Continue with Basic");
    await waitFor(() => expect(page.paymentForms.shown()).not.to.equal(undefined));
    await page.user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    expect(page.paymentForms.shown()).to.equal(undefined);
    await waitFor(() =>
      expect(document.activeElement === button("Choose a plan here"), "the focus is back").to.equal(true),
    );
  });

  it("open the billing page in a new tab for those who do not pay yet, beside the window of the app (AC1)", async () => {
    const page = await openAccount({ tier: "free" });
    await page.press("Upgrade Plan");
    expect(opened.map(({ href }) => href)).to.deep.equal(["https://billing.example/1"]);
    expect(screen.queryByRole("dialog")).to.equal(null);
    expect(button("Choose a plan here")).not.to.equal(null);
  });

  it("say that the page could not be opened also when the server has failed (AC1, RQ10)", async () => {
    const page = await openAccount({ tier: "free" });
    page.server.on("POST", "/billing/portal", { status: 503, json: { message: "Stripe is away" } });
    await page.press("Upgrade Plan");
    screen.getByText("Failed to open upgrade page. Please try again.");
    screen.getByText("Server error: Stripe is away. Our team has been notified.");
    await page.press("Manage Plan");
    screen.getByText("Failed to open manage plan page. Please try again.");
    expect(opened.map(({ closed }) => closed)).to.deep.equal([true, true]);
  });

  it("open the billing portal in a new tab for paying users, to upgrade and to manage (AC1)", async () => {
    const page = await openAccount({ tier: "pro", isPaid: true });
    expect(button("Choose a plan here")).to.equal(null);
    await page.press("Upgrade Plan");
    expect(opened.map(({ href }) => href)).to.deep.equal(["https://billing.example/1"]);
    expect(screen.queryByRole("dialog")).to.equal(null);
    await page.press("Manage Plan");
    expect(opened).to.have.length(2);
    expect(page.server.requestsTo("POST /billing/portal").map(({ body }) => body)).to.deep.equal([
      { purpose: "upgrade" },
      { purpose: "manage" },
    ]);
  });

  it("close the tab with an error when the billing portal cannot be opened (AC1)", async () => {
    const page = await openAccount({ tier: "pro", isPaid: true });
    page.server.on("POST", "/billing/portal", { status: 400 });
    await page.press("Upgrade Plan");
    screen.getByText("Failed to open upgrade page. Please try again.");
    await page.press("Manage Plan");
    screen.getByText("Failed to open manage plan page. Please try again.");
    expect(screen.queryByText("Failed to open upgrade page. Please try again.")).to.equal(null);
    expect(opened.map(({ closed }) => closed)).to.deep.equal([true, true]);
  });

  it("are joined by Delete my account, which says that it ends the subscription", async () => {
    const page = await openAccount({ tier: "pro", isPaid: true });
    await openSection(page, "General");
    await page.press("Delete my account");
    const question = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
    question.getByText("your subscription: it ends, and nothing more is charged");
  });

  it("warn of a failed payment and of a subscription about to end", async () => {
    await openAccount({ tier: "pro", status: "past_due", isPaid: true });
    screen.getByText(/The last payment has failed/);
    closePages();
    await openAccount({ tier: "pro", isPaid: true, endsAt: "2031-01-05T12:00:00.000Z" });
    screen.getByText("The plan is cancelled and ends on January 5, 2031.");
    closePages();
    await openAccount({ tier: "free", status: "unpaid" });
    screen.getByText(/A payment is still open/);
  });
});
