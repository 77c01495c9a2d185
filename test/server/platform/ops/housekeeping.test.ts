import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { bystander } from "../../support/bystander.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { startServer } from "../../support/startServer.ts";

describe("Housekeeping", () => {
  it("deletes tickets and sessions when they end, and codes when their mails no longer count", async () => {
    const server = await startServer();
    const { database, clock } = server;
    const rows = async () => ({
      codes: (await database.db.selectFrom("login_codes").select("email_key").execute()).length,
      tickets: (await database.db.selectFrom("sign_up_tickets").select("email").execute()).length,
      sessions: (
        await database.db.selectFrom("sessions").where("user_id", "!=", bystander.id).select("id").execute()
      ).length,
    });
    const user = await server.signIn("one@example.org");
    await user.call("POST", "/login", { body: { email: "two@example.org" } });
    await user.call("PUT", "/login", {
      body: { email: "two@example.org", otp: await server.code("two@example.org") },
    });
    expect(await rows()).to.deep.equal({ codes: 2, tickets: 1, sessions: 1 });

    clock.advance(31 * minuteMs);
    await pruneAll(database, clock.now());
    expect(await rows()).to.deep.equal({ codes: 2, tickets: 0, sessions: 1 });
    clock.advance(40 * minuteMs);
    await pruneAll(database, clock.now());
    expect(await rows()).to.deep.equal({ codes: 0, tickets: 0, sessions: 1 });
    clock.advance(7 * 24 * 60 * minuteMs);
    await pruneAll(database, clock.now());
    expect(await rows()).to.deep.equal({ codes: 0, tickets: 0, sessions: 0 });
    await server.stop();
  });
});
