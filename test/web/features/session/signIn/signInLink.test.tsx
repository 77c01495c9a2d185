import "../../../../support/dom.ts";
import { screen } from "@testing-library/react";
import { expect } from "chai";
import { signInAddress } from "../../../../../core/session/signIn/signInLink.ts";
import { createUser } from "../../../../fakes/productServer.ts";
import { useDom } from "../../../../support/jsdom.ts";
import { closePages } from "../../../support/openPage.tsx";
import { email, visit } from "../../../support/signIn.ts";

describe("The page opened by a sign-in link", () => {
  useDom();
  afterEach(closePages);

  const open = async (options: Parameters<typeof visit>[0] = {}) => {
    const link = signInAddress("https://app.example", { email, token: "right-link" });
    window.history.replaceState(null, "", new URL(link).hash);
    return visit(options);
  };

  it("signs in, and forgets the link at once", async () => {
    const page = await open();
    await screen.findByRole("heading", { name: "Your Email Masks" });
    expect(page.server.requestsTo("POST /login/link").map(({ body }) => body)).to.deep.equal([
      { token: "right-link" },
    ]);
    expect(window.location.href).not.to.contain("right-link");
  });

  it("asks for the second factor of an account that has one", async () => {
    await open({ user: createUser(email, { twoFactor: { enabled: true } }) });
    await screen.findByLabelText("2FA code");
  });

  it("says why a link does not work, above the form for an address", async () => {
    window.history.replaceState(null, "", "#sign-in=used/ada%40example.org");
    await visit();
    await screen.findByText("This link was used");
    screen.getByLabelText("Email address");
  });

  it("says that it failed where the server gives no reason (SI13)", async () => {
    window.history.replaceState(null, "", "#sign-in=used/ada%40example.org");
    await visit({ before: ({ server }) => server.on("POST", "/login/link", { status: 400 }) });
    await screen.findByText("Login failed");
  });
});
