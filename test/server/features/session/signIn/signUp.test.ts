import { expect } from "chai";
import { mailboxKey } from "../../../../../core/mail/emailAddress.ts";
import { startServer, type TestServer } from "../../../support/startServer.ts";

describe("Signing up", () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const ticketFor = async (email: string): Promise<string> => {
    await server.client().call("POST", "/login", { body: { email } });
    const answer = await server
      .client()
      .call("PUT", "/login", { body: { email, otp: await server.code(email) } });
    return (answer.json as { tempToken: string }).tempToken;
  };
  const signUp = (tempToken: string, tier = "free") =>
    server.client().call("POST", "/signup", { body: { tempToken, tier } });

  it("says of paid plans that payment is not set up, and leaves the ticket valid for Free (D38)", async () => {
    const ticket = await ticketFor("rich@example.org");
    for (const tier of ["basic", "pro", "pro_premium", "business"]) {
      const { status, json } = await signUp(ticket, tier);
      expect(status, tier).to.equal(402);
      expect(json).to.deep.equal({
        message: "Payment is not set up on this server. Choose the Free plan, or ask the operator.",
      });
    }
    expect((await signUp(ticket)).status).to.equal(200);
  });

  it("works once for each ticket, also for twenty parallel attempts", async () => {
    const ticket = await ticketFor("hasty@example.org");
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(ticket)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 401)).to.have.length(19);
  });

  it("creates one account for a user with two tickets", async () => {
    const tickets = [await ticketFor("double@example.org"), await ticketFor("Double@Example.org")];
    const answers = await Promise.all(tickets.map((ticket) => signUp(ticket)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    const users = await server.database.db
      .selectFrom("users")
      .select("id")
      .where("email_key", "=", mailboxKey("double@example.org"))
      .execute();
    expect(users).to.have.length(1);
  });

  it("refuses a ticket that is made up, or older than half an hour", async () => {
    const ticket = await ticketFor("slow@example.org");
    server.clock.advance(31 * 60_000);
    for (const tempToken of [ticket, "invented", ""]) {
      const { status, json } = await signUp(tempToken);
      expect(status).to.equal(401);
      expect(json).to.deep.equal({ message: "Your sign-up has expired. Ask for a new code." });
    }
  });
});
