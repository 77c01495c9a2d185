import { expect } from "chai";
import { minuteMs } from "../../../../../core/kernel/durations.ts";
import { named } from "../../../../support/domainNames.ts";
import { startServer, type TestServer } from "../../../support/startServer.ts";

describe("Signing in", () => {
  let server: TestServer;
  let people = 0;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const somebody = (): string => `person${++people}@example.org`;
  const ask = (email: string) => server.client().call("POST", "/login", { body: { email } });
  const verify = (email: string, otp: string, client = server.client()) =>
    client.call("PUT", "/login", { body: { email, otp } });
  const wrong = (code: string): string => (code === "111111" ? "222222" : "111111");

  it("answers an address that has an account and one that has none alike (D35)", async () => {
    const [known, unknown] = [somebody(), somebody()];
    await server.signIn(known);
    const [one, other] = [await ask(known), await ask(unknown)];
    expect(one.status).to.equal(200);
    expect(other.status).to.equal(200);
    expect(one.text).to.equal(other.text);
    expect([...one.headers.keys()]).to.deep.equal([...other.headers.keys()]);
  });

  it("gives a new user a ticket, and after the choice of a plan a session and an account (D36)", async () => {
    const email = somebody();
    const browser = server.client();
    await ask(email);
    const verified = await verify(email, await server.code(email), browser);
    expect(verified.status).to.equal(200);
    const { status, tempToken, ...rest } = verified.json as { status: string; tempToken: string };
    expect(status).to.equal("plan_selection_required");
    expect(tempToken).to.have.length(43);
    expect(rest).to.deep.equal({});
    const answer = await browser.call("POST", "/signup", { body: { tempToken, tier: "free" } });
    expect(answer.status).to.equal(200);
    const { token, user } = answer.json as { token: string; user: object };
    expect(token.split(".")).to.have.length(3);
    expect(user).to.deep.include({
      email,
      keyStatus: "not-configured",
      subscription: { tier: "free", status: "active" },
      twoFactor: { enabled: false },
    });
  });

  it("gives a known user a session immediately, for any case of the letters", async () => {
    const email = somebody();
    await server.signIn(email);
    await ask(email.toUpperCase());
    const answer = await verify(email, await server.code(email.toUpperCase()));
    expect(answer.status).to.equal(200);
    expect(answer.json).to.have.property("token");
    expect(answer.json).to.have.nested.property("user.email", email);
  });

  it("accepts input that was HTML-escaped in transit (SI8, D37)", async () => {
    const email = `o'brien${++people}@example.org`;
    await server.client().call("POST", "/login", { body: { email: email.replace("'", "&#39;") } });
    const verified = await verify(email.replace("'", "&#39;"), await server.code(email));
    expect(verified.status).to.equal(200);
  });

  it("accepts a code once", async () => {
    const email = somebody();
    await ask(email);
    const code = await server.code(email);
    expect((await verify(email, code)).status).to.equal(200);
    const again = await verify(email, code);
    expect(again.status).to.equal(401);
    expect((again.json as { message: string }).message).to.match(/^Invalid verification code/);
  });

  it("accepts a code for 10 minutes and not longer", async () => {
    const [early, late] = [somebody(), somebody()];
    await ask(early);
    await ask(late);
    server.clock.advance(9.9 * minuteMs);
    expect((await verify(early, await server.code(early))).status).to.equal(200);
    server.clock.advance(0.2 * minuteMs);
    expect((await verify(late, await server.code(late))).status).to.equal(401);
  });

  it("invalidates an older code with a newer one", async () => {
    const email = somebody();
    await ask(email);
    const older = await server.code(email);
    server.clock.advance(1);
    await ask(email);
    const newer = await server.code(email);
    if (older !== newer) expect((await verify(email, older)).status).to.equal(401);
    expect((await verify(email, newer)).status).to.equal(200);
  });

  it("allows five tries, and the right code fails after them", async () => {
    const [lucky, unlucky] = [somebody(), somebody()];
    for (const [email, wrongTries, expected] of [
      [lucky, 4, 200],
      [unlucky, 5, 401],
    ] as const) {
      await ask(email);
      const code = await server.code(email);
      for (let tries = 0; tries < wrongTries; tries++)
        expect((await verify(email, wrong(code))).status).to.equal(401);
      expect((await verify(email, code)).status, email).to.equal(expected);
    }
  });

  it("says after the fifth wrong try that the code no longer works, also for the right code", async () => {
    const email = somebody();
    await ask(email);
    const code = await server.code(email);
    const messages: string[] = [];
    for (const tried of [...Array.from({ length: 6 }, () => wrong(code)), code])
      messages.push(((await verify(email, tried)).json as { message: string }).message);
    expect(messages).to.deep.equal([
      ...Array.from({ length: 4 }, () => "Invalid verification code. Check it, or ask for a new one."),
      ...Array.from({ length: 3 }, () => "This code no longer works after 5 wrong tries. Ask for a new one."),
    ]);
  });

  it("accepts a code for its own address only", async () => {
    const [owner, other] = [somebody(), somebody()];
    await ask(owner);
    await ask(other);
    const code = await server.code(owner);
    if (code !== (await server.code(other))) expect((await verify(other, code)).status).to.equal(401);
  });

  it("mails at most five codes an hour to an address, then says when to try again", async () => {
    const email = somebody();
    for (let mails = 0; mails < 5; mails++) {
      expect((await ask(email)).status).to.equal(200);
      server.clock.advance(minuteMs);
    }
    const refused = await ask(email.toUpperCase());
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get("retry-after"))).to.be.within(54 * 60, 55 * 60);
    expect(refused.json).to.deep.equal({
      message: "Too many codes were sent to this address. Try again in 55 minutes.",
    });
    expect(await server.mails(email)).to.have.length(5);
    expect((await verify(email, await server.code(email))).status, "the last code still works").to.equal(200);
    server.clock.advance(55 * minuteMs);
    expect((await ask(email)).status).to.equal(200);
    expect((await ask(email)).status, "one place has come free, not five").to.equal(429);
  });

  it("counts all addresses of one mailbox together for that limit", async () => {
    const tagged = (tag: number): string => `reader+${tag}@example.org`;
    for (let tag = 0; tag < 5; tag++) expect((await ask(tagged(tag))).status).to.equal(200);
    expect((await ask(tagged(5))).status).to.equal(429);
    expect((await ask("reader@example.org")).status).to.equal(429);
    expect((await ask("reader@example.net")).status, "who is somebody else").to.equal(200);
    expect((await verify(tagged(2), await server.code(tagged(2)))).status, "codes stay").to.equal(200);

    const dotted = ["ro.bin@gmail.com", "r.obin@gmail.com", "robin@googlemail.com", "robin@gmail.com"];
    for (const email of [...dotted, "r.o.b.i.n@gmail.com"]) expect((await ask(email)).status).to.equal(200);
    expect((await ask("rob.in@gmail.com")).status).to.equal(429);
    expect((await ask("+@example.org")).status, "a name that is a tag alone").to.equal(200);
  });

  it("refuses the address of a mask, whose mail would return to the server", async () => {
    for (const email of ["shop@masks.test", "shop@MASKS.test"]) {
      const { status, json } = await ask(email);
      expect(status).to.equal(400);
      expect(json).to.have.nested.property("errors[0].field", "email");
    }
  });

  it("refuses every address whose mail comes to masks: at sub-domains and at domains of users", async () => {
    await server.signIn("owner-of-a-domain@example.org");
    const { id } = await server.database.db
      .selectFrom("users")
      .select("id")
      .where("email", "=", "owner-of-a-domain@example.org")
      .executeTakeFirstOrThrow();
    await server.database.db
      .insertInto("domains")
      .values({
        id: "d".repeat(24),
        user_id: id,
        name: named("family.example"),
        kind: "own",
        token: "t",
        catch_all: "off",
        proven_at: 1,
        created_at: 1,
      })
      .execute();
    for (const email of ["a@team.masks.test", "a@x.team.masks.test", "a@family.example", "a@FAMILY.example"])
      expect((await ask(email)).status, email).to.equal(400);
    expect((await ask("a@masks.test.example")).status).to.equal(200);
    expect((await ask("a@notmasks.test")).status).to.equal(200);
  });

  it("keeps no readable code in the store", async () => {
    const email = somebody();
    await ask(email);
    const code = await server.code(email);
    const row = await server.database.db
      .selectFrom("login_codes")
      .selectAll()
      .where("email_key", "=", email)
      .executeTakeFirstOrThrow();
    expect(row.code_hash).to.have.length(43);
    // The digits of a time may be those of the code by chance.
    expect(JSON.stringify({ ...row, expires_at: 0, sent_at: "" })).not.to.contain(code);
  });
});
