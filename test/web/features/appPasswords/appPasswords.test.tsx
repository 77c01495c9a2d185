import "../../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { madePassword } from "../../../fakes/productAppPasswords.ts";
import { useDom } from "../../../support/jsdom.ts";
import { closePages, type OpenPage, openPage } from "../../support/openPage.tsx";
import { openSection } from "../../support/openTab.ts";

const openSettings = async (before: (page: OpenPage) => void = () => {}): Promise<OpenPage> => {
  const page = await openPage();
  before(page);
  await openSection(page, "Programs");
  await screen.findByRole("heading", { name: "Mail programs" });
  await page.act(() => {});
  return page;
};

const list = (): HTMLElement => screen.getByRole("list", { name: "App passwords" });

const make = async (page: OpenPage, name: string): Promise<void> => {
  await page.press("Create app password");
  await screen.findByRole("dialog", { name: "Create app password" });
  if (name !== "") await page.type("Program or device", name);
  await page.press("Create password");
};

describe("The passwords of mail programs", () => {
  useDom();
  afterEach(closePages);

  it("say how a mail program reaches the server", async () => {
    await openSettings();
    screen.getByText(/masks\.example, port 465 with TLS or port 587 with STARTTLS/);
  });

  it("say that the server takes no mail without a certificate", async () => {
    await openSettings(({ server }) =>
      server.on("GET", "/account/app-passwords", {
        json: { passwords: [], server: { host: "masks.example", tlsPort: null, startTlsPort: null } },
      }),
    );
    screen.getByText(/does not accept mail from mail programs/);
    expect(screen.queryByRole("button", { name: "Create app password" })).to.equal(null);
  });

  it("are made with a name, shown once, and copied", async () => {
    const page = await openSettings();
    await make(page, "Thunderbird at home");
    await screen.findByRole("alertdialog", { name: "Your app password" });
    await page.press(`Copy ${madePassword}`);
    expect(page.page.clipboard()).to.equal(madePassword);
    await page.press("I have saved it");
    within(list()).getByText("Thunderbird at home");
    within(list()).getByText("Not used yet · Created Nov 20, 2026");
    expect(screen.queryByText(madePassword)).to.equal(null);
  });

  it("are not lost by Escape before they were copied", async () => {
    const page = await openSettings();
    await make(page, "Old phone");
    await page.user.keyboard("{Escape}");
    screen.getByText("Close without the password? It is never shown again.");
    await page.press("Keep it open");
    screen.getByText(madePassword);
    await page.press(`Copy ${madePassword}`);
    await page.user.keyboard("{Escape}");
    await page.act(() => {});
    expect(screen.queryByText(madePassword)).to.equal(null);
  });

  it("need a name", async () => {
    const page = await openSettings();
    await make(page, "");
    screen.getByText("Name the program or device");
    expect(screen.getByLabelText("Program or device").getAttribute("aria-invalid")).to.equal("true");
  });

  it("are revoked after a question", async () => {
    const page = await openSettings();
    await make(page, "Old phone");
    await page.press("I have saved it");
    await page.press("Revoke: Old phone");
    const question = await screen.findByRole("alertdialog", { name: "Revoke the password of Old phone?" });
    await page.user.click(within(question).getByRole("button", { name: /^Revoke/ }));
    await page.act(() => {});
    screen.getByText("App password revoked");
    expect(page.server.requestsTo("DELETE /account/app-passwords/Old%20phone")).to.have.length(1);
  });

  it("can be loaded again after a failure", async () => {
    const page = await openSettings(({ server }) =>
      server.on("GET", "/account/app-passwords", { status: 400, json: { message: "Not now" } }),
    );
    screen.getByText("Not now");
    page.server.on("GET", "/account/app-passwords", {
      json: { passwords: [], server: { host: "masks.example", tlsPort: 465, startTlsPort: null } },
    });
    const banner = screen.getByText("Not now").parentElement?.parentElement;
    await page.user.click(within(banner ?? document.body).getByRole("button", { name: "Try Again" }));
    await page.act(() => {});
    screen.getByText(/port 465 with TLS/);
  });
});
