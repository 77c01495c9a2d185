import "../../../../support/dom.ts";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { createUser } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages } from "../../../support/openPage.tsx";
import { email, enter, visit } from "../../../support/signIn.ts";

const configuration = (only = false) => ({
  settings: {
    configuration: { brand: "Bauta", maskDomain: "masks.example", singleSignOn: { name: "Home", only } },
  },
});

describe("Single sign-on at the sign-in page", () => {
  useDom();
  afterEach(closePages);

  const arrive = (hash: string, options: Parameters<typeof visit>[0] = {}) => {
    window.history.replaceState(null, "", hash);
    return visit({ ...configuration(), ...options });
  };

  it("is a plain link beside the form for a code", async () => {
    await visit(configuration());
    const link = await screen.findByRole("link", { name: "Continue with Home" });
    expect(link.getAttribute("href")).to.equal("/login/oidc");
    screen.getByLabelText("Email address");
  });

  it("is not there on a server without a provider", async () => {
    await visit();
    expect(screen.queryByRole("link", { name: /^Continue with/ })).to.equal(null);
  });

  it("stands alone where the provider is the only way", async () => {
    await visit(configuration(true));
    await screen.findByRole("link", { name: "Continue with Home" });
    screen.getByText("You log in here with your account at Home, not with codes by email.");
    expect(screen.queryByLabelText("Email address")).to.equal(null);
  });

  it("logs in with the ticket, and forgets it at once", async () => {
    const page = await arrive("#sso=right-ticket");
    await screen.findByRole("heading", { name: "Your Email Masks" });
    expect(page.server.requestsTo("POST /login/oidc/ticket").map(({ body }) => body)).to.deep.equal([
      { ticket: "right-ticket" },
    ]);
    expect(window.location.href).not.to.contain("right-ticket");
  });

  it("asks for the second factor of the account with the address that the server names", async () => {
    const page = await arrive("#sso=right-ticket", {
      user: createUser(email, { twoFactor: { enabled: true } }),
    });
    await screen.findByLabelText("2FA code");
    await page.advance(500);
    await enter(page, "2FA code", "654321");
    const [sent] = page.server.requestsTo("POST /login/verify2fa");
    expect(sent?.body).to.include({ email });
  });

  it("lets a new person choose a plan", async () => {
    await arrive("#sso=right-ticket", { isNew: true });
    await screen.findByRole("heading", { name: "Choose a plan" });
  });

  it("says what the code is for that connects a known account", async () => {
    await arrive("#sso=unconnected");
    await screen.findByText(/It connects your account with Home/);
    screen.getByLabelText("Verification code");
  });

  it("says why a ticket does not work, above the form", async () => {
    await arrive("#sso=used");
    await screen.findByText("This ticket was used");
    screen.getByLabelText("Email address");
  });

  it("says why the provider's answer was refused, and forgets it with a reload", async () => {
    await arrive("#sso-error=unverified");
    await screen.findByText(/Home does not say that your email address is yours/);
    expect(window.location.hash).to.equal("");
  });
});
