import "../../../../support/dom.ts";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages } from "../../../support/openPage.tsx";
import { atTheCode, described, email, enter, visit } from "../../../support/signIn.ts";

describe("The code step", () => {
  useDom();
  afterEach(closePages);

  it("shows the address, takes the focus and signs in by itself once six digits are entered", async () => {
    const page = await atTheCode();
    screen.getByText(email);
    expect(document.title).to.equal("Enter your code · Bauta");
    expect(document.activeElement).to.equal(screen.getByLabelText("Verification code"));
    await enter(page, "Verification code", "123456");
    expect(page.server.requestsTo("PUT /login").map(({ body }) => body)).to.deep.equal([
      { email, otp: "123456" },
    ]);
    await screen.findByRole("heading", { name: "Your Email Masks" });
    screen.getByText("Logged in successfully");
    expect(page.page.path$.value).to.equal("/");
  });

  it("keeps digits that were pasted within the first 500 ms and sends them afterwards (SI7)", async () => {
    const page = await visit();
    await page.type("Email address", email);
    await page.press("Log in");
    await page.user.click(screen.getByLabelText("Verification code"));
    await page.user.paste("123 456");
    await page.advance(400);
    expect(page.server.requestsTo("PUT /login")).to.have.length(0);
    await page.advance(100);
    expect(page.server.requestsTo("PUT /login")).to.have.length(1);
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });

  for (const [typed, sentence] of [
    ["", "Verification code is required"],
    ["12345", "Verification code must be 6 digits"],
    ["abc", "Verification code must be 6 digits"],
  ] as const) {
    it(`shows "${sentence}" beside "${typed}" (SI3)`, async () => {
      const page = await atTheCode();
      if (typed !== "") await enter(page, "Verification code", typed);
      await page.press("Verify");
      expect(described("Verification code")).to.equal(sentence);
      expect(page.server.requestsTo("PUT /login")).to.have.length(0);
    });
  }

  it("shows the server's message about a wrong code, else the fallback, and lets the user type over it (SI13)", async () => {
    const page = await atTheCode();
    await enter(page, "Verification code", "000000");
    expect(described("Verification code")).to.equal("This code is wrong");
    page.server.on("PUT", "/login", { status: 400 });
    await page.advance(500);
    const field = screen.getByLabelText<HTMLInputElement>("Verification code");
    expect([field.selectionStart, field.selectionEnd]).to.deep.equal([0, 6]);
    await page.user.keyboard("111111");
    await page.act(() => {});
    expect(field.value).to.equal("111111");
    expect(described("Verification code")).to.equal("Invalid verification code");
  });

  it("counts down 30 s before another code can be sent, then sends it (SI5)", async () => {
    const page = await visit();
    await page.type("Email address", email);
    await page.press("Log in");
    const resend = (): HTMLButtonElement => screen.getByRole("button", { name: /^Resend code/ });
    expect([resend().textContent, resend().disabled]).to.deep.equal(["Resend code in 30 s", true]);
    await page.advance(3_000);
    expect(resend().textContent).to.equal("Resend code in 27 s");
    await page.advance(27_000);
    expect([resend().textContent, resend().disabled]).to.deep.equal(["Resend code", false]);
    await enter(page, "Verification code", "123");
    await page.press("Resend code");
    expect(page.server.requestsTo("POST /login")).to.have.length(2);
    expect(resend().textContent).to.equal("Resend code in 30 s");
    expect(screen.getByLabelText<HTMLInputElement>("Verification code").value).to.equal("");
    expect(document.activeElement).to.equal(screen.getByLabelText("Verification code"));
    screen.getByText(/A new code is on its way/);
  });

  it("clears the old code's error when another is sent, and the confirmation when the new one is wrong", async () => {
    const page = await atTheCode();
    const news = () => screen.queryByText(/A new code is on its way/);
    await enter(page, "Verification code", "000000");
    expect(described("Verification code")).to.equal("This code is wrong");
    await page.advance(30_000);
    await page.press("Resend code");
    expect(news()).to.not.equal(null);
    expect(described("Verification code")).to.equal("");
    await page.advance(500);
    await enter(page, "Verification code", "111111");
    expect(described("Verification code")).to.equal("This code is wrong");
    expect(news()).to.equal(null);
  });

  it('shows "Failed to resend verification code" when sending fails (SI5)', async () => {
    const page = await atTheCode();
    await page.advance(30_000);
    page.server.on("POST", "/login", { status: 400 });
    await page.press("Resend code");
    screen.getByText("Failed to resend verification code");
  });

  it("goes back to the address, which can be edited (SI6)", async () => {
    const page = await atTheCode();
    await page.press("Use a different email");
    const field = screen.getByLabelText<HTMLInputElement>("Email address");
    expect(field.value).to.equal(email);
    expect(document.activeElement).to.equal(field);
  });
});
