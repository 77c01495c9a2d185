import { expect } from "chai";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import type { NewApiToken } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import { type ApiTokens, createApiTokens } from "../../../core/apiTokens/apiTokens.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { createApiToken, madeToken } from "../../fakes/productApiTokens.ts";
import { settled } from "../../fakes/virtualClock.ts";

const bitwarden: NewApiToken = {
  name: "Bitwarden",
  scopes: ["masks:create"],
  domain: null,
  lifetimeDays: 90,
};

describe("The user's API tokens", () => {
  let fakes: AppOnFakes;
  let tokens: ApiTokens;

  beforeEach(async () => {
    fakes = await startApp();
    fakes.product.apiTokens.set([createApiToken("script")]);
    tokens = fakes.signedIn().feature(createApiTokens);
    await settled();
  });
  afterEach(() => fakes.stop());

  const names = (): readonly string[] | undefined => tokens.view$.value?.map(({ name }) => name);
  const toasts = (): readonly string[] => fakes.app.toasts.list$.value.map(({ text }) => text);

  it("are unknown until requested", async () => {
    expect(tokens.view$.value).to.equal(null);
    await tokens.refresh()();
    expect(names()).to.deep.equal(["Program script"]);
  });

  it("are made with what the user chose, and readable in the answer alone", async () => {
    await tokens.refresh()();
    const made = await tokens.create(bitwarden)();
    expect(isRight(made) && made.right.token).to.equal(madeToken);
    expect(names()).to.deep.equal(["Bitwarden", "Program script"]);
    expect(fakes.server.requestsTo("POST /account/api-tokens").at(-1)?.body).to.deep.equal(bitwarden);
    expect(JSON.stringify(tokens.view$.value)).not.to.include(madeToken);
  });

  it("are renamed", async () => {
    await tokens.refresh()();
    await tokens.rename("script", "Backup")();
    expect(names()).to.deep.equal(["Backup"]);
  });

  it("are revoked, also one that is revoked already", async () => {
    await tokens.refresh()();
    fakes.product.apiTokens.set([]);
    expect(isRight(await tokens.revoke("script")())).to.equal(true);
    expect(names()).to.deep.equal([]);
    expect(toasts()).to.deep.equal(["API token revoked"]);
  });

  it("are copied with a sign for a moment", async () => {
    await tokens.copy(madeToken)();
    expect(tokens.copied$.value).to.equal(madeToken);
    expect(fakes.page.clipboard()).to.equal(madeToken);
    expect(toasts()).to.deep.equal(["Copied to clipboard"]);
  });

  it("stay as they are when the server refuses, which is said", async () => {
    await tokens.refresh()();
    const refused = { status: 400 };
    fakes.server.on("GET", "/account/api-tokens", refused);
    fakes.server.on("POST", "/account/api-tokens", refused);
    fakes.server.on("PATCH", "/account/api-tokens/:id", refused);
    fakes.server.on("DELETE", "/account/api-tokens/:id", refused);
    const results = [
      await tokens.refresh()(),
      await tokens.create(bitwarden)(),
      await tokens.rename("script", "Backup")(),
      await tokens.revoke("script")(),
    ];
    expect(results.map((result) => isLeft(result) && result.left.message)).to.deep.equal([
      "Failed to load your API tokens",
      "Failed to create the API token",
      "Failed to rename the API token",
      "Failed to revoke the API token",
    ]);
    expect(names()).to.deep.equal(["Program script"]);
  });

  it("are dropped at logout, including an answer that arrives later", async () => {
    const pending = tokens.refresh()();
    await fakes.app.session.logOut()();
    await pending;
    expect(tokens.view$.value).to.equal(null);
  });
});
