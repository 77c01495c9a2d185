import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../support/openPage.tsx";
import { openSection } from "../../support/openTab.ts";

const openSettings = async (before: (page: OpenPage) => void = () => {}): Promise<OpenPage> => {
  const page = await openPage();
  before(page);
  await openSection(page, "Domains");
  await screen.findByRole("heading", { name: "Domains" });
  await page.act(() => {});
  return page;
};

const dialogNamed = async (name: string) => within(await screen.findByRole("dialog", { name }));

const add = async (page: OpenPage, name: string): Promise<void> => {
  await page.press("Add domain");
  await dialogNamed("Add domain");
  await page.type("Domain", name);
  await page.user.click((await dialogNamed("Add domain")).getByRole("button", { name: /^Add domain/ }));
  await page.act(() => {});
};

describe("The domains of a user in the settings", () => {
  useDom();
  afterEach(closePages);

  it("say what a wrong one is, and show the records of an added one", async () => {
    const page = await openSettings();
    screen.getByText("No domains yet");
    await add(page, "co.uk");
    screen.getByText(/shared by many people/);
    screen.getByText(/^A domain or subdomain whose DNS you can change/);
    await page.user.clear(screen.getByLabelText("Domain"));
    expect(screen.queryByText(/shared by many people/), "while another is typed").to.equal(null);
    await page.type("Domain", "own.example");
    await page.user.click((await dialogNamed("Add domain")).getByRole("button", { name: /^Add domain/ }));
    await page.act(() => {});
    const records = await dialogNamed("own.example");
    records.getByText(/Mail arrives once the proof is found/);
    records.getByRole("button", { name: "Copy the value of the Proof record: bauta-verification=1" });
    expect(records.queryByRole("heading", { name: "Mail to names without a mask" })).to.equal(null);
  });

  it("are checked while their records are shown, and set up once they are proven", async () => {
    const page = await openSettings();
    await add(page, "own.example");
    await dialogNamed("own.example");
    page.product.domains.prove("own.example");
    await page.press("Check again");
    const dialog = await dialogNamed("own.example");
    dialog.getByText("Mail to own.example comes here.");
    await page.user.click(dialog.getByRole("radio", { name: "Some names" }));
    await page.type("Names", "shop-*, news");
    await page.user.click(dialog.getByRole("checkbox", { name: /Approve senders first/ }));
    await page.press("Save");
    const [saved] = page.server.requestsTo("PATCH /domains/own.example");
    expect(saved?.body).to.deep.equal({
      catchAll: "pattern",
      patterns: ["shop-*", "news"],
      approveFirst: true,
      destination: null,
    });
  });

  it("may be names of the installation", async () => {
    const page = await openSettings();
    await page.press("Claim a name at masks.example");
    await dialogNamed("Claim a name");
    await page.type("Name", "ada");
    screen.getByText(/anything@ada\.masks\.example/);
    await page.user.click((await dialogNamed("Claim a name")).getByRole("button", { name: /^Claim a name/ }));
    await page.act(() => {});
    await dialogNamed("ada.masks.example");
    await page.press("Done");
    expect(screen.queryByRole("button", { name: /^Claim a name/ })).to.equal(null);
    await page.press("Remove: ada.masks.example");
    const question = within(await screen.findByRole("alertdialog", { name: "Remove ada.masks.example?" }));
    question.getByText(/^The name stays reserved for you/);
  });

  it("are removed after a question that tells what stops", async () => {
    const page = await openSettings();
    await add(page, "own.example");
    await dialogNamed("own.example");
    await page.press("Done");
    await page.press("Remove: own.example");
    const question = within(await screen.findByRole("alertdialog", { name: "Remove own.example?" }));
    question.getByText("No mask is there.");
    question.getByText(/^Its settings and the key that signs its mail are deleted\./);
    await page.user.click(question.getByRole("button", { name: /^Remove/ }));
    await page.act(() => {});
    screen.getByText("own.example removed");
    screen.getByText("No domains yet");
  });

  it("say in an open question what stops as soon as a mask is made", async () => {
    const page = await openSettings();
    await add(page, "own.example");
    await dialogNamed("own.example");
    await page.press("Done");
    await page.act(page.sockets.latest().accept);
    await page.press("Remove: own.example");
    const question = within(await screen.findByRole("alertdialog", { name: "Remove own.example?" }));
    question.getByText("No mask is there.");
    page.product.domains.edit("own.example", { masks: 1 });
    await page.act(() =>
      page.sockets.latest().push({ type: "data_update", data: { resource: "domains", action: "updated" } }),
    );
    question.getByText(/^Its mask stops at once/);
  });

  it("can be loaded again after a failure", async () => {
    const page = await openSettings(({ server }) =>
      server.on("GET", "/domains", { status: 400, json: { message: "Not now" } }),
    );
    const banner = screen.getByText("Not now").parentElement?.parentElement;
    page.server.on("GET", "/domains", {
      json: { domains: [], ownLeft: 10, subdomainsLeft: 0, under: "masks.example" },
    });
    await page.user.click(within(banner ?? document.body).getByRole("button", { name: "Try Again" }));
    await page.act(() => {});
    screen.getByRole("button", { name: "Add domain" });
  });
});
