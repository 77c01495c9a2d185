import { expect } from "chai";
import { defaultListSettings } from "../../../../core/masks/maskListSettings.ts";
import { Account } from "../../../../core/session/user.ts";
import { monthOf } from "../../../../server/delivery/usageQueries.ts";
import {
  readRepliesOfDay,
  takeDailyReplies,
} from "../../../../server/features/correspondents/replyCounts.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { setTier } from "../../support/tier.ts";

describe("GET /account", () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it("returns the user, the limits of the plan and the usage, which includes masks that are switched off", async () => {
    const email = "owner@example.org";
    const user = await server.signIn(email);
    await user.call("POST", "/masks", { body: { description: "on" } });
    await user.call("POST", "/masks", { body: { description: "off", active: false } });
    const { id } = await server.database.db
      .selectFrom("users")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    const months = [
      { month: monthOf(server.clock.now()), received: 12, forwarded: 9, blocked: 3 },
      { month: "2020-01", received: 99, forwarded: 99, blocked: 99 },
    ];
    await server.database.db
      .insertInto("monthly_usage")
      .values(months.map((month) => ({ user_id: id, announced: 0, ...month })))
      .execute();

    const { status, json } = await user.call("GET", "/account");
    expect(status).to.equal(200);
    expect(Account.is(json)).to.equal(true);
    expect(json).to.deep.include({
      email,
      usage: {
        masks: { active: 1, total: 2 },
        emails: { thisMonth: 12, forwarded: 9, blocked: 3, repliedToday: 0 },
      },
      limits: {
        maxMasks: 2,
        emailsPerMonth: 100,
        storageLimit: "1MB",
        historyRetention: "7 days",
        repliesPerDay: 50,
      },
    });
  });

  it("returns the replies of the day, which begin at none on the next one", async () => {
    const user = await server.signIn("writer@example.org");
    const { id } = await server.database.db
      .selectFrom("users")
      .select("id")
      .where("email", "=", "writer@example.org")
      .executeTakeFirstOrThrow();
    const taken = { userId: id, count: 3, limit: 50 };
    expect(
      await takeDailyReplies(server.database, server.database.db, [taken], server.clock.now()),
    ).to.deep.equal([true]);
    const today = async (): Promise<unknown> =>
      ((await user.call("GET", "/account")).json as Account).usage?.emails.repliedToday;
    expect(await today()).to.equal(3);
    expect(await readRepliesOfDay(server.database.db, id, server.clock.now() + 86_400_000)).to.equal(0);
  });

  it("returns the order and layout of the list as they were chosen last, and takes each column once", async () => {
    const user = await server.signIn("arranger@example.org");
    const read = async (): Promise<unknown> =>
      ((await user.call("GET", "/account")).json as Account).settings?.maskListSettings;
    const choose = async (change: object): Promise<number> => {
      const maskListSettings = { ...defaultListSettings, ...change };
      return (await user.call("PUT", "/account/profile", { body: { maskListSettings } })).status;
    };
    expect(await read()).to.equal(undefined);
    expect(await choose({ layout: "rows", sort: "name", color: "red" })).to.equal(200);
    const chosen = { ...defaultListSettings, layout: "rows", sort: "name" };
    expect(await read()).to.deep.equal(chosen);
    for (const change of [
      { columns: ["note", "note"] },
      { columns: ["weather"] },
      { pageSize: { cards: 1_000_000 } },
      { layout: "tiles" },
    ])
      expect(await choose(change), JSON.stringify(change)).to.equal(400);
    expect(await read()).to.deep.equal(chosen);
  });

  it("returns null for the mask limit of a plan without one", async () => {
    const user = await server.signIn("premium@example.org");
    await setTier(server.database, "premium@example.org", "pro_premium");
    const { json } = await user.call("GET", "/account");
    expect(json).to.deep.nested.include({
      "subscription.tier": "pro_premium",
      limits: {
        maxMasks: null,
        emailsPerMonth: 5_000,
        storageLimit: "50MB",
        historyRetention: "2 years",
        repliesPerDay: 1_000,
      },
    });
  });
});
