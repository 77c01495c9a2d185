import "../../../../support/dom.ts";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { useDom } from "../../../../support/jsdom.ts";
import { beginning, closePages } from "../../../support/openPage.tsx";
import { described, email, enter, visit } from "../../../support/signIn.ts";

describe("The sign-in page", () => {
  useDom();
  afterEach(closePages);

  it("shows the brand, a login and a subscribe action when nothing is stored (SI1, SI15)", async () => {
    await visit({ path: "/" });
    screen.getByRole("heading", { level: 1, name: "Sign in to Bauta" });
    screen.getByRole("button", { name: beginning("Log in") });
    screen.getByRole("button", { name: "Subscribe" });
    expect(document.title).to.equal("Sign in to Bauta");
    expect(document.activeElement).to.equal(screen.getByLabelText("Email address"));
    expect(screen.queryByRole("navigation")).to.equal(null);
  });

  it("speaks of an account instead where no plans are sold", async () => {
    const page = await visit({
      settings: {
        configuration: { brand: "Bauta", maskDomain: "masks.example", defaultTier: "self_hosted" },
      },
    });
    expect(screen.queryByRole("button", { name: "Subscribe" })).to.equal(null);
    await page.press("Create an account");
    screen.getByText(/your account is ready/);
    await page.type("Email address", email);
    await page.press("Create account");
    screen.getByLabelText("Verification code");
    screen.getByText(/Then you create your account\.$/);
    expect(screen.queryByText(/plan/)).to.equal(null);
  });

  it("explains subscribing and uses the same form for it", async () => {
    const page = await visit();
    await page.press("Subscribe");
    screen.getByText(/then choose a plan/);
    await page.type("Email address", email);
    await page.press("Subscribe");
    screen.getByLabelText("Verification code");
    screen.getByText(/Then you choose a plan\.$/);
    expect(page.server.requestsTo("POST /login").map(({ body }) => body)).to.deep.equal([{ email }]);
  });

  for (const [typed, sentence] of [
    ["", "Email is required"],
    ["ada at example", "Please enter a valid email address"],
  ] as const) {
    it(`shows "${sentence}" beside "${typed}" and sends nothing (SI2)`, async () => {
      const page = await visit();
      await page.type("Email address", typed);
      await page.press("Log in");
      expect(described("Email address")).to.equal(sentence);
      expect(screen.getByLabelText("Email address").getAttribute("aria-invalid")).to.equal("true");
      expect(document.activeElement).to.equal(screen.getByLabelText("Email address"));
      expect(page.server.requestsTo("POST /login")).to.have.length(0);
    });
  }

  it("shows the server's message beside the address, else the fallback (SI13)", async () => {
    const page = await visit();
    page.server.on("POST", "/login", {
      status: 429,
      headers: { "retry-after": "3600" },
      json: { message: "Too many codes. Try again in an hour." },
    });
    await page.type("Email address", email);
    await page.press("Log in");
    expect(described("Email address")).to.equal("Too many codes. Try again in an hour.");
    page.server.on("POST", "/login", { status: 400 });
    await page.advance(500);
    await page.press("Log in");
    expect(described("Email address")).to.equal("Failed to send verification code");
  });

  it("still shows what is missing after the button was pressed twice in a row", async () => {
    const page = await visit();
    await page.press("Log in");
    await page.press("Log in");
    expect(described("Email address")).to.equal("Email is required");
  });

  it("accepts the previous code when no other can be sent for now", async () => {
    const page = await visit();
    page.server.on("POST", "/login", {
      status: 429,
      headers: { "retry-after": "3600" },
      json: { message: "Too many codes. Try again in an hour." },
    });
    const offer = (): HTMLElement | null => screen.queryByRole("button", { name: "Enter the code you have" });
    await page.type("Email address", email);
    expect(offer()).to.equal(null);
    await page.press("Log in");
    await page.press("Enter the code you have");
    screen.getByText(email);
    await page.advance(500);
    await enter(page, "Verification code", "123456");
    expect(page.server.requestsTo("PUT /login").map(({ body }) => body)).to.deep.equal([
      { email, otp: "123456" },
    ]);
    await screen.findByRole("heading", { name: "Your Email Masks" });
  });

  it("clears an error as soon as the address is changed", async () => {
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
    await page.advance(1_400);
    await page.press("Log in");
    expect(page.server.requestsTo("POST /login")).to.have.length(1);
    await page.advance(100);
    await page.press("Log in");
    expect(page.server.requestsTo("POST /login")).to.have.length(2);
  });
});
