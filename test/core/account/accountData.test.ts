import { expect } from "chai";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { type AccountData, createAccountData } from "../../../core/account/accountData.ts";
import { readImport } from "../../../core/account/readImport.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { createMask, createUser } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

const taken = {
  format: "bauta-export",
  version: 1,
  exportedAt: "2026-11-21T10:00:00.000Z",
  account: createUser("ada@example.org"),
  masks: [
    { ...createMask("shop", { description: '=Corner "Shop", inc.' }), addresses: ["shop@masks.example"] },
  ],
  destinations: [],
  usage: [],
  notifications: [],
};

describe("The user's own data", () => {
  let fakes: AppOnFakes;
  let data: AccountData;

  beforeEach(async () => {
    fakes = await startApp();
    fakes.server.on("GET", "/account/export", { json: taken });
    fakes.server.on("DELETE", "/account", { json: {} });
    data = fakes.signedIn().feature(createAccountData);
    await settled();
  });
  afterEach(() => fakes.stop());

  it("is exported as a JSON file named after the day", async () => {
    const file = await data.exportAll()();
    if (isLeft(file)) throw new Error("no file");
    expect(file.right).to.include({ name: "bauta-data-2026-11-21.json", type: "application/json" });
    expect(JSON.parse(file.right.content)).to.deep.equal(taken);
  });

  it("contains the masks as CSV, which can be imported again", async () => {
    const file = await data.exportMasks()();
    if (isLeft(file)) throw new Error("no file");
    expect(file.right.name).to.equal("bauta-masks-2026-11-21.csv");
    const again = readImport(file.right.content);
    expect(isRight(again) && again.right.rows).to.deep.equal([
      {
        at: 2,
        kind: "mask",
        mask: {
          address: "shop@masks.example",
          description: '=Corner "Shop", inc.',
          forwardTo: "ada@example.org",
          isActive: true,
          own: {
            fields: {
              labels: [],
              note: "",
              pinned: false,
              whenOff: "refuse",
              notifyWhenOff: false,
              spamFilter: true,
              acceptUnproven: false,
              senderShown: "account",
              actionLinks: "account",
              unsubscribe: "account",
              keptInApp: "no",
            },
            rules: [],
            leftOut: [],
          },
        },
      },
    ]);
  });

  it('shows "Failed to export your data" where the server sends no message', async () => {
    fakes.server.on("GET", "/account/export", { status: 400 });
    const file = await data.exportAll()();
    expect(isLeft(file) && file.left.message).to.equal("Failed to export your data");
  });

  it("is deleted after the user typed the address, and the session ends with a confirmation", async () => {
    expect(isRight(await data.remove({ email: " ada@example.org ", code: "" })())).to.equal(true);
    expect(fakes.server.requestsTo("DELETE /account")[0]?.body).to.deep.equal({ email: "ada@example.org" });
    expect(fakes.app.session.state$.value.kind).to.equal("signed-out");
    expect(fakes.app.toasts.list$.value.map(({ text }) => text)).to.deep.equal(["Your account was deleted"]);
  });

  it("is not deleted without the address, or when the server refuses", async () => {
    const empty = await data.remove({ email: " ", code: "" })();
    expect(isLeft(empty) && empty.left.fields[0]?.field).to.equal("email");
    expect(fakes.server.requestsTo("DELETE /account")).to.have.length(0);
    fakes.server.on("DELETE", "/account", { status: 400 });
    const refused = await data.remove({ email: "ada@example.org", code: "123456" })();
    expect(isLeft(refused) && refused.left.message).to.equal("Failed to delete your account");
    expect(fakes.app.session.state$.value.kind).to.equal("signed-in");
  });
});
