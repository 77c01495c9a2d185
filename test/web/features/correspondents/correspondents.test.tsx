import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { createCorrespondent } from "../../../fakes/productCorrespondents.ts";
import { createMask } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openMasks } from "../../support/openPage.tsx";

const shop = createMask("quietharbour", { description: "Bookshop" });

const openDialog = async (before: (page: OpenPage) => void = () => {}): Promise<OpenPage> => {
  const page = await openMasks({ masks: [shop] });
  before(page);
  await page.press("Options for Bookshop");
  await page.user.click(await screen.findByRole("menuitem", { name: "Reply or write" }));
  await screen.findByRole("dialog", { name: "Reply or write from Bookshop" });
  await page.act(() => {});
  return page;
};

const rows = (): readonly HTMLElement[] =>
  within(screen.getByRole("list", { name: "Correspondents" })).getAllByRole("listitem");

describe("Writing from a mask", () => {
  useDom();
  afterEach(closePages);

  it("gives an address for a correspondent, to copy and as a link for the mail program", async () => {
    const page = await openDialog();
    screen.getByText("Nobody yet");
    await page.type("Address to write to", "bob@shop.example");
    await page.press("Get address");
    const reverse = `re-${"bob".padEnd(32, "a")}@masks.example`;
    const link = await screen.findByRole("link", { name: "Write to bob@shop.example" });
    expect(link.getAttribute("href")).to.equal(`mailto:${reverse}`);
    expect(screen.getByLabelText<HTMLInputElement>("Address to write to").value).to.equal("");
    await page.press(`Copy the address for writing to bob@shop.example, ${reverse}`);
    expect(page.page.clipboard()).to.equal(reverse);
    screen.getByText("Address copied to clipboard");
  });

  it("shows what is wrong with an address, at its field", async () => {
    const page = await openDialog();
    await page.type("Address to write to", "bob");
    await page.press("Get address");
    screen.getByText("Please enter a valid email address");
    expect(screen.getByLabelText("Address to write to").getAttribute("aria-invalid")).to.equal("true");
  });

  it("lists the correspondents with their last mails", async () => {
    const list = [
      createCorrespondent("carol", { name: "Carol", lastReceived: "2026-11-20T10:00:00.000Z" }),
      createCorrespondent("dave", { lastSent: "2026-11-03T10:00:00.000Z" }),
    ];
    await openDialog(({ server }) =>
      server.on("GET", "/masks/:id/correspondents", { json: { correspondents: list, more: true } }),
    );
    expect(rows().map(({ textContent }) => textContent)).to.satisfy(([first, second]: string[]) => {
      expect(first).to.contain("Carol").and.contain("carol@shop.example");
      expect(first).to.contain("Last email from them Nov 20, 2026");
      expect(second).to.contain("dave@shop.example").and.contain("Your last email Nov 3, 2026");
      return true;
    });
    screen.getByText("Older correspondents are not listed.");
  });

  it("has the focus on the latest correspondent, and in the field while there is none", async () => {
    const list = Array.from({ length: 7 }, (_, n) => createCorrespondent(`bob${n}`));
    const page = await openDialog(({ server }) =>
      server.on("GET", "/masks/:id/correspondents", { json: { correspondents: list, more: true } }),
    );
    expect(document.activeElement).to.equal(screen.getByRole("link", { name: "Write to bob0@shop.example" }));
    expect(rows()).to.have.length(5);
    expect(screen.queryByText("Older correspondents are not listed.")).to.equal(null);
    await page.press("Show all 7");
    expect(rows()).to.have.length(7);
    screen.getByText("Older correspondents are not listed.");
    closePages();
    await openDialog();
    expect(document.activeElement).to.equal(screen.getByLabelText("Address to write to"));
  });

  it("leaves the focus in the field when the list comes while one types", async () => {
    const page = await openDialog(({ server }) =>
      server.on("GET", "/masks/:id/correspondents", {
        json: { correspondents: [createCorrespondent("bob")], more: false },
        afterMs: 1_000,
      }),
    );
    await page.type("Address to write to", "eve");
    await page.advance(1_000);
    expect(rows()).to.have.length(1);
    expect(document.activeElement).to.equal(screen.getByLabelText("Address to write to"));
  });

  it("blocks a correspondent whose mail is not wanted, and takes it again", async () => {
    const page = await openDialog();
    await page.type("Address to write to", "bob@shop.example");
    await page.press("Get address");
    await page.press("Block sender bob@shop.example");
    screen.getByText("bob@shop.example is blocked");
    within(rows()[0] ?? document.body).getByText("Blocked");
    await page.press("Unblock sender bob@shop.example");
    screen.getByText("bob@shop.example is no longer blocked");
    screen.getByRole("button", { name: "Block sender bob@shop.example" });
  });

  it("blocks the domain of a correspondent, with all who write from there, and undoes it", async () => {
    const page = await openDialog();
    for (const name of ["bob", "carol"]) {
      await page.type("Address to write to", `${name}@shop.example`);
      await page.press("Get address");
    }
    const [block] = screen.getAllByRole("button", { name: "Block domain shop.example" });
    await page.user.click(block ?? document.body);
    screen.getByText("shop.example is blocked");
    for (const row of rows()) within(row).getByText("Blocked: shop.example");
    expect(page.server.requestsTo("PUT /masks/quietharbour/senders/shop.example")).to.have.length(1);
    await page.press("Undo");
    screen.getByText("shop.example is no longer blocked");
    for (const row of rows()) within(row).getByRole("button", { name: "Block domain shop.example" });
    await page.press("Block sender bob@shop.example");
    within(rows()[1] ?? document.body).getByText("Blocked");
    await page.press("Undo");
    for (const row of rows()) expect(within(row).queryByText("Blocked")).to.equal(null);
  });

  it("says why a sender could not be blocked", async () => {
    const page = await openDialog();
    await page.type("Address to write to", "bob@shop.example");
    await page.press("Get address");
    const message = "A mask can list at most 500 senders";
    page.server.on("PUT", "/masks/:id/senders/:sender", { status: 409, json: { message } });
    await page.press("Block domain shop.example");
    screen.getByText(message);
    expect(screen.queryByText("Blocked: shop.example")).to.equal(null);
  });

  it("asks before a correspondent is forgotten, and says what is lost", async () => {
    const page = await openDialog();
    await page.type("Address to write to", "bob@shop.example");
    await page.press("Get address");
    await page.press("Forget bob@shop.example");
    screen.getByText("Your answers to their earlier emails no longer reach them.");
    await page.press("Keep");
    expect(rows()).to.have.length(1);
    await page.press("Forget bob@shop.example");
    await page.press("Forget");
    screen.getByText("Correspondent forgotten");
    screen.getByText("Nobody yet");
    expect(page.server.requestsTo("DELETE /masks/quietharbour/correspondents/id-bob")).to.have.length(1);
  });

  it("gives an address also where the list could not be loaded", async () => {
    const page = await openDialog(({ server }) =>
      server.on("GET", "/masks/:id/correspondents", { status: 400, json: { message: "Not now" } }),
    );
    page.server.on("GET", "/masks/:id/correspondents", {
      json: { correspondents: [createCorrespondent("bob")], more: false },
    });
    await page.type("Address to write to", "bob@shop.example");
    await page.press("Get address");
    await screen.findByRole("link", { name: "Write to bob@shop.example" });
    expect(screen.queryByText("Not now")).to.equal(null);
  });

  it("says that the list could not be loaded, and loads it on request", async () => {
    const page = await openDialog(({ server }) =>
      server.on("GET", "/masks/:id/correspondents", { status: 400, json: { message: "Not now" } }),
    );
    screen.getByText("Not now");
    page.server.on("GET", "/masks/:id/correspondents", {
      json: { correspondents: [createCorrespondent("bob")], more: false },
    });
    await page.press("Try Again");
    expect(rows()).to.have.length(1);
  });
});
