import "../../../support/dom.ts";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { createUser } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { beginning, closePages } from "../../support/openPage.tsx";
import { openSection, openTab } from "../../support/openTab.ts";

type Page = Awaited<ReturnType<typeof openTab>>;

const on = { contentAccessEnabled: true, contentAccessAcknowledged: true };

const openSettings = async (
  prepare: (page: Page) => void = () => {},
  tier: "free" | "pro" = "pro",
): Promise<Page> => {
  const user = createUser("ada@example.org", { subscription: { tier, status: "active" } });
  const page = await openTab("Masks", { user });
  prepare(page);
  await openSection(page, "Privacy");
  await page.act(() => {});
  await page.act(() => {});
  return page;
};

const card = (name: string) => within(screen.getByRole("article", { name }));
const access = () => screen.getByRole<HTMLInputElement>("switch", { name: "Content access" });
const feature = (name: string) => screen.getByRole<HTMLInputElement>("switch", { name });
const notice = () => screen.queryByRole("dialog", { name: "Privacy notice" });
const noticeOnCard = () => screen.queryByRole("region", { name: "Privacy notice" });
const puts = (page: Page) => page.server.requestsTo("PUT /ai/content-access").map(({ body }) => body);

const turn = async (page: Page): Promise<void> => {
  await page.user.click(access());
  await page.act(() => {});
};

describe("AI Content Access", () => {
  useDom();
  afterEach(closePages);

  it("is off, without a notice or preferences, until it is switched on (SG3)", async () => {
    await openSettings();
    expect(access().checked).to.equal(false);
    expect(notice()).to.equal(null);
    expect(screen.queryByRole("article", { name: "AI Preferences" })).to.equal(null);
  });

  it("shows its notice, to be acknowledged in the form, when switched on, and sends nothing yet (SG3)", async () => {
    const page = await openSettings();
    await turn(page);
    const shown = within(notice() as HTMLElement);
    screen.getByText("Not on yet: read the privacy notice first.");
    const box = shown.getByRole<HTMLInputElement>("checkbox");
    expect(box.checked, "consent is the user's own press").to.equal(false);
    shown.getByText(/reads the header and the subject of each email/);
    shown.getByText("Your mail is sent to nobody else for this.");
    expect(puts(page)).to.deep.equal([]);
    await page.user.click(box);
    await page.press("Agree and switch on");
    expect(puts(page)).to.deep.equal([{ contentAccessEnabled: true, acknowledgment: true }]);
    screen.getByText("Content access settings updated");
    expect(notice()).to.equal(null);
    card("AI Preferences");
  });

  it("stays off when the notice is left, which gives the focus back to its switch", async () => {
    const page = await openSettings();
    await turn(page);
    notice();
    await page.user.keyboard("{Escape}");
    await page.act(() => {});
    expect(notice()).to.equal(null);
    expect(access().checked).to.equal(false);
    await waitFor(() => expect(document.activeElement).to.equal(access()));
    expect(puts(page)).to.deep.equal([]);
  });

  it("is not switched on without the acknowledgement (SG4)", async () => {
    const page = await openSettings();
    await turn(page);
    await page.press("Agree and switch on");
    within(notice() as HTMLElement).getByText(
      "You must acknowledge the privacy notice to enable content access",
    );
    expect(puts(page)).to.deep.equal([]);
    await page.press("Cancel");
    expect(access().checked).to.equal(false);
    expect(notice()).to.equal(null);
  });

  it("shows the notice where it is on but was not acknowledged (SG3)", async () => {
    const page = await openSettings(({ product }) =>
      product.insights.setAccess({ contentAccessEnabled: true, contentAccessAcknowledged: false }),
    );
    expect(access().checked).to.equal(true);
    expect(notice(), "no dialog that nobody asked for").to.equal(null);
    const box = within(noticeOnCard() as HTMLElement).getByRole<HTMLInputElement>("checkbox");
    expect(box.checked).to.equal(false);
    expect(screen.queryByRole("article", { name: "AI Preferences" })).to.equal(null);
    await page.user.click(box);
    await page.press("Agree and switch on");
    expect(page.product.insights.access()).to.include(on);
  });

  it("names the host of a model that runs elsewhere", async () => {
    const page = await openSettings(({ product }) =>
      product.insights.setAccess({ externalModel: "models.example" }),
    );
    await turn(page);
    within(notice() as HTMLElement).getByText("models.example");
    expect(screen.queryByText(/^Your mail is sent to nobody/)).to.equal(null);
  });

  it("is switched off after a confirmation that says what is lost", async () => {
    const page = await openSettings(({ product }) => product.insights.setAccess(on));
    await turn(page);
    const question = within(screen.getByRole("alertdialog", { name: "Switch off content access?" }));
    question.getByText(/the categories counted so far are deleted/);
    expect(page.product.insights.access()).to.include(on);
    await page.user.click(question.getByRole("button", { name: beginning("Switch off") }));
    await page.act(() => {});
    expect(puts(page)).to.deep.equal([{ contentAccessEnabled: false }]);
    expect(access().checked).to.equal(false);
    expect(screen.queryByRole("article", { name: "AI Preferences" })).to.equal(null);
  });

  it("shows which plan it needs, with a link to it (SG4)", async () => {
    const page = await openSettings(() => {}, "free");
    card("AI Content Access").getByText(/^Content access features require Pro tier or higher\./);
    expect(screen.queryByRole("switch", { name: "Content access" })).to.equal(null);
    await page.follow("See your plan");
    await screen.findByRole("main", { name: "Account" });
  });

  it("shows why its state could not be loaded, with Try Again", async () => {
    const page = await openSettings(({ server }) => server.on("GET", "/ai/content-access", { status: 400 }));
    card("AI Content Access").getByText("Failed to get content access settings");
    page.server.on("GET", "/ai/content-access", { json: { ...on, contentAccessEligible: true } });
    page.product.insights.setAccess(on);
    await page.press("Try Again");
    expect(access().checked).to.equal(true);
  });
});

describe("AI Preferences", () => {
  useDom();
  afterEach(closePages);

  it("are seven, each with its default (SG5)", async () => {
    await openSettings(({ product }) => product.insights.setAccess(on));
    const switches = card("AI Preferences").getAllByRole<HTMLInputElement>("switch");
    expect(switches.map((one) => [one.getAttribute("aria-label"), one.checked])).to.deep.equal([
      ["Categorization", true],
      ["Summaries", false],
      ["Prioritization", false],
      ["Enhanced filtering", true],
      ["Content rules", false],
      ["Attachments", false],
      ["Links", false],
    ]);
  });

  it("take effect at once", async () => {
    const page = await openSettings(({ product }) => product.insights.setAccess(on));
    await page.user.click(feature("Summaries"));
    await page.act(() => {});
    expect(page.product.insights.features().summaries).to.equal(true);
    screen.getByText("AI preferences updated successfully");
    expect(feature("Summaries").checked).to.equal(true);
  });

  it("are restored when the server refuses a change (SG4)", async () => {
    const page = await openSettings(({ product }) => product.insights.setAccess(on));
    page.server.on("PUT", "/ai/preferences", { status: 409 });
    await page.user.click(feature("Categorization"));
    await page.act(() => {});
    expect(feature("Categorization").checked).to.equal(true);
    screen.getByText("Failed to update AI preferences");
  });

  it("that this server does not offer are off, disabled, and explained", async () => {
    await openSettings(({ product }) => {
      product.insights.setAccess(on);
      product.insights.setOffered(["categorization"]);
    });
    expect(feature("Categorization").disabled).to.equal(false);
    expect([feature("Enhanced filtering").checked, feature("Enhanced filtering").disabled]).to.deep.equal([
      false,
      true,
    ]);
    expect(card("AI Preferences").getAllByText(/This server does not offer it\.$/)).to.have.length(6);
  });
});
