import "../../../support/dom.ts";
// Lazily loaded by the app; imported here so that loading it takes no time in the test.
import "../../../../web/features/account/ChangeEmailDialog.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "chai";
import { newAddressCode } from "../../../fakes/productProfile.ts";
import { createMask, createUser } from "../../../fakes/productServer.ts";
import { useDom } from "../../../support/jsdom.ts";
import { beginning, closePages } from "../../support/openPage.tsx";
import { openTab } from "../../support/openTab.ts";
import { described } from "../../support/signIn.ts";

const old = "ada@example.org";
const fresh = "ada.new@example.org";

describe("Changing the address of the account", () => {
  useDom();
  afterEach(closePages);

  const open = async (options: Parameters<typeof openTab>[1] = {}) => {
    const page = await openTab("Account", options);
    await page.press("Change email");
    const question = within(await screen.findByRole("dialog", { name: "Change your email" }));
    const submit = async (name: string): Promise<void> => {
      await page.user.click(question.getByRole("button", { name: beginning(name) }));
      await page.act(() => {});
    };
    return { ...page, question, submit };
  };
  const sent = async (options: Parameters<typeof openTab>[1] = {}) => {
    const page = await open(options);
    await page.type("New email address", fresh);
    await page.submit("Send code");
    return page;
  };

  it("asks for the new address, then for its code, and updates the page", async () => {
    const page = await sent({ masks: [createMask("a"), createMask("b", { forwardTo: "desk@example.net" })] });
    page.question.getByText(fresh);
    expect(document.activeElement).to.equal(screen.getByLabelText("Verification code"));
    const moving = page.question.getByRole("checkbox", {
      name: /^Your mask that forwards to the old address/,
    });
    expect(moving).to.have.property("checked", true);
    await page.user.type(screen.getByLabelText("Verification code"), `${newAddressCode}{Enter}`);
    await page.act(() => {});
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    screen.getByText(`The address of your account is now ${fresh}`);
    within(screen.getByRole("region", { name: "Account details" })).getByText(fresh);
    expect(screen.getByRole("banner").textContent).to.include(fresh);
    expect(page.product.masks().map(({ forwardTo }) => forwardTo)).to.deep.equal([fresh, "desk@example.net"]);

    await page.press("Change email");
    expect(screen.getByLabelText("New email address"), "it begins anew").to.have.property("value", "");
  });

  it("leaves the masks at the old address when the user chooses so", async () => {
    const page = await sent({ masks: [createMask("a"), createMask("b")] });
    await page.user.click(page.question.getByRole("checkbox", { name: /^Your 2 masks that forward/ }));
    await page.type("Verification code", newAddressCode);
    await page.submit("Change email");
    expect(page.product.masks().map(({ forwardTo }) => forwardTo)).to.deep.equal([old, old]);
  });

  it("shows each error beside its field", async () => {
    const page = await open();
    await page.submit("Send code");
    expect(described("New email address")).to.include("Type your new address.");
    await page.type("New email address", old);
    await page.submit("Send code");
    expect(described("New email address")).to.include("the address of your account already");
    await page.type("New email address", fresh);
    expect(described("New email address")).not.to.include("already");
    await page.submit("Send code");
    await page.type("Verification code", "111111");
    await page.submit("Change email");
    expect(described("Verification code")).to.include("This code is not right.");
  });

  it("shows errors that belong to no field in the dialog", async () => {
    const page = await sent();
    page.server.on("PUT", "/account/profile", { status: 409, json: { message: "This address is taken." } });
    await page.type("Verification code", newAddressCode);
    await page.submit("Change email");
    page.question.getByText("This address is taken.");
    await page.submit("Use a different email");
    expect(screen.getByLabelText("New email address")).to.have.property("value", fresh);
  });

  it("asks for a 2FA code where 2FA is on, and tells paying users about their invoices", async () => {
    const page = await sent({
      user: createUser(old, {
        twoFactor: { enabled: true },
        subscription: { tier: "pro", status: "active", isPaid: true },
      }),
    });
    page.question.getByText(/Invoices go to the old address/);
    await page.type("Verification code", newAddressCode);
    await page.submit("Change email");
    expect(described("2FA code")).to.include("2FA code is required");
    await page.type("2FA code", "654321");
    await page.submit("Change email");
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
  });

  it("sends another code after 30 s, and resumes where it was when the dialog is reopened", async () => {
    const page = await sent();
    const resend = (): HTMLElement => page.question.getByRole("button", { name: beginning("Resend code") });
    expect(resend()).to.have.property("disabled", true);
    await page.press("Cancel");
    await waitFor(() => expect(screen.queryByRole("dialog")).to.equal(null));
    await page.advance(30_000);
    await page.press("Change email");
    await page.press("Resend code");
    screen.getByText("A new code is on its way. The one before it no longer works.");
    expect(page.server.requestsTo("PUT /account/profile")).to.have.length(2);
  });
});
