import "../../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { useDom } from "../../support/jsdom.ts";
import { closePages, type OpenPage, type openPage } from "../support/openPage.tsx";
import { atTheCode, enter } from "../support/signIn.ts";

describe("The plan step", () => {
  useDom();
  afterEach(closePages);

  const atThePlans = async (options: Parameters<typeof openPage>[0] = {}): Promise<OpenPage> => {
    const page = await atTheCode({ isNew: true, ...options });
    await enter(page, "Verification code", "123456");
    await screen.findByRole("heading", { name: "Choose a plan" });
    await page.pass(500);
    return page;
  };

  it("offers four plans with their prices and limits; Free opens the account", async () => {
    const page = await atThePlans();
    const plan = (name: RegExp): HTMLInputElement => screen.getByRole("radio", { name });
    expect(plan(/^Free\s*\$0\s*a month\s*2 masks\s*100 e-mails a month$/).checked).to.equal(true);
    plan(/^Basic\s*\$2.99\s*a month\s*10 masks\s*500 e-mails a month/);
    plan(/^Pro\s*\$6.99\s*a month\s*25 masks\s*2,000 e-mails a month/);
    plan(/^Premium\s*\$12.99\s*a month\s*Unlimited masks\s*5,000 e-mails a month/);
    await page.press("Continue with Free");
    expect(page.server.seen("POST /signup").map(({ body }) => body)).to.deep.equal([
      { tempToken: "ticket", tier: "free" },
    ]);
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });

  it("says of paid plans that payment is not set up here, and does not let them be chosen (D38)", async () => {
    await atThePlans();
    const paid = screen.getAllByRole<HTMLInputElement>("radio").slice(1);
    expect(paid.map(({ disabled }) => disabled)).to.deep.equal([true, true, true]);
    expect(screen.getAllByText("Payment is not set up on this server")).to.have.length(3);
  });

  it("lets a paid plan be chosen where payment is set up, and keeps the choice when that fails", async () => {
    const page = await atThePlans({
      settings: { configuration: { brand: "Bauta", maskDomain: "masks.example", flags: { payments: true } } },
    });
    page.server.on("POST", "/signup", { status: 402, json: { message: "The card was declined" } });
    await page.user.click(screen.getByRole("radio", { name: /^Pro\s*\$/ }));
    await page.press("Continue with Pro");
    within(screen.getByRole("alert")).getByText("The card was declined");
    expect(screen.getByRole<HTMLInputElement>("radio", { name: /^Pro\s*\$/ }).checked).to.equal(true);
  });

  it("goes back to the code entry, its code cleared, on Cancel (SI11)", async () => {
    const page = await atThePlans();
    await page.press("Cancel");
    expect(screen.getByLabelText<HTMLInputElement>("Verification code").value).to.equal("");
    expect(screen.queryByRole("heading", { name: "Choose a plan" })).to.equal(null);
  });

  it("says after Cancel that the code was used, and sends another at once (SI11)", async () => {
    const page = await atThePlans();
    await page.press("Cancel");
    screen.getByText(/The code you entered was used and works only once/);
    await page.press("Resend code");
    expect(page.server.seen("POST /login")).to.have.length(2);
    expect(screen.queryByText(/The code you entered was used/)).to.equal(null);
    screen.getByText(/A new code is on its way/);
  });
});
