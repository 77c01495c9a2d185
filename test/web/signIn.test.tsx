import "../support/dom.ts";
import { screen, within } from "@testing-library/react";
import { expect } from "chai";
import { makeUser } from "../fakes/productServer.ts";
import { useDom } from "../support/jsdom.ts";
import { beginning, closePages, type OpenPage, openPage } from "./support/openPage.tsx";

const email = "ada@example.org";

const visit = (options: Parameters<typeof openPage>[0] = {}): Promise<OpenPage> =>
  openPage({ path: "/login", isSignedIn: false, ...options });

const atTheCode = async (options: Parameters<typeof openPage>[0] = {}): Promise<OpenPage> => {
  const page = await visit(options);
  await page.type("Email address", email);
  await page.press("Log in");
  await page.pass(500);
  return page;
};

const enter = async (page: OpenPage, label: string, digits: string): Promise<void> => {
  await page.user.type(screen.getByLabelText(label), digits);
  await page.happen(() => {});
};

const described = (label: string): string => {
  const ids = screen.getByLabelText(label).getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
};

describe("The sign-in page", () => {
  useDom();
  afterEach(closePages);

  it("greets with the brand, a login and a subscribe action when nothing is stored (SI1, SI15)", async () => {
    await visit({ path: "/" });
    screen.getByRole("heading", { level: 1, name: "Sign in to Bauta" });
    screen.getByRole("button", { name: beginning("Log in") });
    screen.getByRole("button", { name: "Subscribe" });
    expect(document.title).to.equal("Sign in to Bauta");
    expect(document.activeElement).to.equal(screen.getByLabelText("Email address"));
    expect(screen.queryByRole("tablist")).to.equal(null);
  });

  it("explains what subscribing is and takes the same form for it", async () => {
    const page = await visit();
    await page.press("Subscribe");
    screen.getByText(/then choose a plan/);
    await page.type("Email address", email);
    await page.press("Subscribe");
    screen.getByLabelText("Verification code");
    expect(page.server.seen("POST /login").map(({ body }) => body)).to.deep.equal([{ email }]);
  });

  for (const [typed, sentence] of [
    ["", "Email is required"],
    ["ada at example", "Please enter a valid email address"],
  ] as const) {
    it(`says "${sentence}" beside "${typed}" and sends nothing (SI2)`, async () => {
      const page = await visit();
      await page.type("Email address", typed);
      await page.press("Log in");
      expect(described("Email address")).to.equal(sentence);
      expect(screen.getByLabelText("Email address").getAttribute("aria-invalid")).to.equal("true");
      expect(document.activeElement).to.equal(screen.getByLabelText("Email address"));
      expect(page.server.seen("POST /login")).to.have.length(0);
    });
  }

  it("says the server's own words beside the address, else the fallback (SI13)", async () => {
    const page = await visit();
    page.server.on("POST", "/login", {
      status: 429,
      json: { message: "Too many codes. Try again in an hour." },
    });
    await page.type("Email address", email);
    await page.press("Log in");
    expect(described("Email address")).to.equal("Too many codes. Try again in an hour.");
    page.server.on("POST", "/login", { status: 400 });
    await page.pass(500);
    await page.press("Log in");
    expect(described("Email address")).to.equal("Failed to send verification code");
  });

  it("forgets a complaint as soon as the address is changed", async () => {
    const page = await visit();
    await page.press("Log in");
    await page.type("Email address", "a");
    expect(described("Email address")).to.equal("");
  });

  it("sends one request for two presses, also within 500 ms after the first (SI7)", async () => {
    const page = await visit();
    page.server.on("POST", "/login", { status: 400, afterMs: 1_000 });
    await page.type("Email address", email);
    await page.press("Log in");
    await page.press(/Log in/);
    await page.pass(1_400);
    await page.press("Log in");
    expect(page.server.seen("POST /login")).to.have.length(1);
    await page.pass(100);
    await page.press("Log in");
    expect(page.server.seen("POST /login")).to.have.length(2);
  });
});

describe("The code step", () => {
  useDom();
  afterEach(closePages);

  it("names the address, takes the focus and signs in by itself when six digits are there", async () => {
    const page = await atTheCode();
    screen.getByText(email);
    expect(document.title).to.equal("Enter your code · Bauta");
    expect(document.activeElement).to.equal(screen.getByLabelText("Verification code"));
    await enter(page, "Verification code", "123456");
    expect(page.server.seen("PUT /login").map(({ body }) => body)).to.deep.equal([{ email, otp: "123456" }]);
    await screen.findByRole("heading", { name: "Your Email Masks" });
    screen.getByText("Logged in successfully");
    expect(page.page.path$.value).to.equal("/");
  });

  it("keeps digits that were pasted within the 500 ms and sends them once they are over (SI7)", async () => {
    const page = await visit();
    await page.type("Email address", email);
    await page.press("Log in");
    await page.user.click(screen.getByLabelText("Verification code"));
    await page.user.paste("123 456");
    await page.pass(400);
    expect(page.server.seen("PUT /login")).to.have.length(0);
    await page.pass(100);
    expect(page.server.seen("PUT /login")).to.have.length(1);
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });

  for (const [typed, sentence] of [
    ["", "Verification code is required"],
    ["12345", "Verification code must be 6 digits"],
  ] as const) {
    it(`says "${sentence}" beside "${typed}" (SI3)`, async () => {
      const page = await atTheCode();
      if (typed !== "") await enter(page, "Verification code", typed);
      await page.press("Verify");
      expect(described("Verification code")).to.equal(sentence);
      expect(page.server.seen("PUT /login")).to.have.length(0);
    });
  }

  it("says the server's words about a wrong code, else the fallback, and lets it be typed over (SI13)", async () => {
    const page = await atTheCode();
    await enter(page, "Verification code", "000000");
    expect(described("Verification code")).to.equal("This code is wrong");
    page.server.on("PUT", "/login", { status: 400 });
    await page.pass(500);
    const field = screen.getByLabelText<HTMLInputElement>("Verification code");
    expect([field.selectionStart, field.selectionEnd]).to.deep.equal([0, 6]);
    await page.user.keyboard("111111");
    await page.happen(() => {});
    expect(field.value).to.equal("111111");
    expect(described("Verification code")).to.equal("Invalid verification code");
  });

  it("counts 30 s down before another code can be sent, then sends it (SI5)", async () => {
    const page = await visit();
    await page.type("Email address", email);
    await page.press("Log in");
    const resend = (): HTMLButtonElement => screen.getByRole("button", { name: /^Resend code/ });
    expect([resend().textContent, resend().disabled]).to.deep.equal(["Resend code in 30 s", true]);
    await page.pass(3_000);
    expect(resend().textContent).to.equal("Resend code in 27 s");
    await page.pass(27_000);
    expect([resend().textContent, resend().disabled]).to.deep.equal(["Resend code", false]);
    await enter(page, "Verification code", "123");
    await page.press("Resend code");
    expect(page.server.seen("POST /login")).to.have.length(2);
    expect(resend().textContent).to.equal("Resend code in 30 s");
    expect(screen.getByLabelText<HTMLInputElement>("Verification code").value).to.equal("");
    expect(document.activeElement).to.equal(screen.getByLabelText("Verification code"));
    screen.getByText(/A new code is on its way/);
  });

  it('says "Failed to resend verification code" when it could not be sent (SI5)', async () => {
    const page = await atTheCode();
    await page.pass(30_000);
    page.server.on("POST", "/login", { status: 400 });
    await page.press("Resend code");
    screen.getByText("Failed to resend verification code");
  });

  it("goes back to the address, which is there to be edited (SI6)", async () => {
    const page = await atTheCode();
    await page.press("Use a different email");
    const field = screen.getByLabelText<HTMLInputElement>("Email address");
    expect(field.value).to.equal(email);
    expect(document.activeElement).to.equal(field);
  });
});

describe("The two-factor step", () => {
  useDom();
  afterEach(closePages);

  const atTheSecondCode = async (): Promise<OpenPage> => {
    const page = await atTheCode({ user: makeUser(email, { twoFactor: { enabled: true } }) });
    await enter(page, "Verification code", "123456");
    await page.pass(500);
    return page;
  };

  it("asks for the second code and signs in with it", async () => {
    const page = await atTheSecondCode();
    expect(document.title).to.equal("Two-factor code · Bauta");
    expect(document.activeElement).to.equal(screen.getByLabelText("2FA code"));
    await enter(page, "2FA code", "654321");
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });

  for (const [typed, sentence] of [
    ["", "2FA code is required"],
    ["99", "2FA code must be 6 digits"],
  ] as const) {
    it(`says "${sentence}" beside "${typed}" (SI4)`, async () => {
      const page = await atTheSecondCode();
      if (typed !== "") await enter(page, "2FA code", typed);
      await page.press("Verify");
      expect(described("2FA code")).to.equal(sentence);
    });
  }

  it('says "Invalid 2FA code" when the server says nothing (SI13)', async () => {
    const page = await atTheSecondCode();
    page.server.on("POST", "/login/verify2fa", { status: 400 });
    await enter(page, "2FA code", "000000");
    expect(described("2FA code")).to.equal("Invalid 2FA code");
  });
});

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
});
