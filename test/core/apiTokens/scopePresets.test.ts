import { expect } from "chai";
import { canOnlyMakeMasks, offeredScopes, scopePresets } from "../../../core/apiTokens/scopePresets.ts";

describe("What is offered for a new API token", () => {
  it("is everything that some call asks for", () => {
    expect(offeredScopes).to.deep.equal([
      "masks:create",
      "masks:read",
      "masks:write",
      "destinations",
      "correspondents",
      "log:read",
      "codes:read",
      "codes:read:all",
      "account:read",
    ]);
  });

  it("lets a password manager make masks alone, and apps do all but read the log and codes", () => {
    expect(scopePresets.passwordManager.scopes).to.deep.equal(["masks:create"]);
    expect(scopePresets.apps.scopes).to.deep.equal(
      offeredScopes.filter((scope) => scope !== "log:read" && !scope.startsWith("codes:")),
    );
  });

  it("can be limited to a domain while it can do nothing but make masks", () => {
    expect(canOnlyMakeMasks(["masks:create"])).to.equal(true);
    for (const scopes of [[], ["masks:read"], ["masks:create", "masks:read"]] as const)
      expect(canOnlyMakeMasks(scopes)).to.equal(false);
  });
});
