import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { wrongCodeAt } from "../../support/authenticator.ts";
import type { Answer, Client } from "../../support/client.ts";
import { proveByCode } from "../../support/recentProof.ts";
import { codeNow, protect } from "../../support/secondFactor.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { openSocket, settle } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const messageOf = ({ json }: Answer): string => (json as { message: string }).message;
const fieldOf = ({ json }: Answer): string | undefined =>
  (json as { errors?: readonly { field: string }[] }).errors?.[0]?.field;
const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

for (const store of everyStore)
  describe(`changing the account's address, on ${store.name}`, () => {
    let server: TestServer;

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
    });
    after(() => server?.stop());

    const put = (user: Client, body: unknown): Promise<Answer> =>
      user.call("PUT", "/account/profile", { body });
    const confirmed = async (user: Client, email: string, more: object = {}): Promise<Answer> => {
      expect((await put(user, { email })).status).to.equal(200);
      return put(user, { email, code: await server.code(email), ...more });
    };
    const emailOf = async (user: Client): Promise<unknown> =>
      ((await user.call("GET", "/account")).json as { email: unknown }).email;
    const forwardsOf = async (user: Client): Promise<readonly string[]> => {
      const { masks } = (await user.call("GET", "/masks")).json as {
        masks: { description: string; forwardTo: string; destinationStatus: string }[];
      };
      return masks.map((mask) => `${mask.description} ${mask.forwardTo} ${mask.destinationStatus}`).sort();
    };

    it("sends a code to the new address and changes nothing until the code is entered", async () => {
      const user = await server.signIn("first@example.org");
      const response = await put(user, { email: " New.First@example.org", name: "nobody knows this field" });
      expect([response.status, response.json]).to.deep.equal([
        200,
        {
          message: "Enter the code that was sent to your new address.",
          pendingEmail: "New.First@example.org",
        },
      ]);
      const [mail] = await server.mails("New.First@example.org");
      expect(mail?.subject).to.match(/^\d{6} confirms your new address at Bauta$/);
      expect(mail?.text).to.include("expires in 10 minutes").and.not.include("first@example.org\n");
      expect(await emailOf(user)).to.equal("first@example.org");
      expect(server.logged.join()).not.to.include("New.First");

      const changed = await put(user, {
        email: "new.first@example.org",
        code: await server.code("New.First@example.org"),
      });
      expect(changed.status).to.equal(200);
      expect(changed.json).to.have.property("email", "New.First@example.org");
      expect(changed.json).to.have.nested.property("user.email", "New.First@example.org");
      expect(await emailOf(user)).to.equal("New.First@example.org");
    });

    it("notifies the old address without naming the new one, adds a notification, and updates every open page", async () => {
      const user = await server.signIn("told@example.org");
      const socket = await openSocket(server.origin, user);
      for (const resource of ["account", "masks"]) socket.send("subscribe", { resource });
      await user.call("POST", "/masks", { body: { description: "Mine" } });
      await settle(socket);
      await confirmed(user, "new.told@example.org");
      const mail = (await server.mails("told@example.org")).at(-1);
      expect(mail?.subject).to.equal("The address of your Bauta account was changed");
      expect(mail?.text).not.to.include("new.told");
      const { notifications } = (await user.call("GET", "/notifications?limit=1")).json as {
        notifications: { message: string; type: string }[];
      };
      expect(notifications[0]).to.deep.include({
        message: "The address of your account is now new.told@example.org. Codes for logging in go there.",
        type: "security",
      });
      for (const resource of ["account", "masks"])
        await socket.waitFor(
          ({ type, data }) =>
            type === "data_update" && data?.["resource"] === resource && data["action"] === "updated",
        );
      expect(socket.socket.readyState, "its sessions go on").to.equal(socket.socket.OPEN);
      socket.socket.close();
    });

    it("makes the new address the one to sign in with, and frees the old one for a new account", async () => {
      const user = await server.signIn("moving@example.org");
      await user.call("POST", "/masks", { body: { description: "Mine" } });
      await confirmed(user, "moved@example.org");
      server.clock.advance(1);
      const again = await server.signIn("moved@example.org");
      expect(await forwardsOf(again)).to.deep.equal(["Mine moved@example.org confirmed"]);
      server.clock.advance(1);
      expect(await forwardsOf(await server.signIn("moving@example.org"))).to.deep.equal([]);
      expect(await emailOf(user), "the session goes on").to.equal("moved@example.org");
    });

    it("redirects the masks that forward to the old address, and leaves the others", async () => {
      const user = await server.signIn("with.masks@example.org");
      await user.call("POST", "/masks", { body: { description: "Own" } });
      await user.call("POST", "/masks", { body: { description: "Other", forwardTo: "desk@example.net" } });
      await confirmed(user, "masks.moved@example.org");
      expect(await forwardsOf(user)).to.deep.equal([
        "Other desk@example.net awaiting-confirmation",
        "Own masks.moved@example.org confirmed",
      ]);
    });

    it("keeps the destinations of masks on request, and confirms masks that already forward to the new address", async () => {
      const user = await server.signIn("staying.masks@example.org");
      await user.call("POST", "/masks", { body: { description: "Own" } });
      await user.call("POST", "/masks", {
        body: { description: "Waits", forwardTo: "soon.own@example.org" },
      });
      server.clock.advance(1);
      await confirmed(user, "soon.own@example.org", { moveMasks: false });
      expect(await forwardsOf(user)).to.deep.equal([
        "Own staying.masks@example.org confirmed",
        "Waits soon.own@example.org confirmed",
      ]);
    });

    it("does not change masks of other users that forward to the same address", async () => {
      const other = await server.signIn("neighbour@example.org");
      await other.call("POST", "/masks", {
        body: { description: "Theirs", forwardTo: "shared@example.org" },
      });
      const user = await server.signIn("shared@example.org");
      await confirmed(user, "not.shared@example.org");
      expect(await forwardsOf(other)).to.deep.equal(["Theirs shared@example.org awaiting-confirmation"]);
    });

    it("refuses the account's own address, a mask's address and an invalid address with an error at the field", async () => {
      const user = await server.signIn("same@example.org");
      for (const email of ["Same@example.org", "someone@masks.test", "no address", ""]) {
        const refused = await put(user, { email });
        expect([refused.status, fieldOf(refused)], email).to.deep.equal([400, "email"]);
      }
      expect(messageOf(await put(user, { email: "Same@example.org" }))).to.include("already");
      expect((await put(user, {})).json, "nothing to change").to.have.property("email", "same@example.org");
    });

    it("reveals that another account uses the address only after the right code", async () => {
      const owner = await server.signIn("taken@example.org");
      const user = await server.signIn("wants.it@example.org");
      server.clock.advance(1);
      const response = await put(user, { email: "taken@example.org" });
      const free = await put(user, { email: "free@example.org" });
      expect([response.status, messageOf(response)]).to.deep.equal([free.status, messageOf(free)]);
      server.clock.advance(1);
      await put(user, { email: "taken@example.org" });
      const code = await server.code("taken@example.org");
      const wrong = await put(user, { email: "taken@example.org", code: otherThan(code) });
      expect([wrong.status, fieldOf(wrong)]).to.deep.equal([400, "code"]);
      const right = await put(user, { email: "taken@example.org", code });
      expect([right.status, messageOf(right)]).to.deep.equal([
        409,
        "This address has an account of its own. Log in with it and delete that account first, or use another address.",
      ]);
      expect([await emailOf(user), await emailOf(owner)]).to.deep.equal([
        "wants.it@example.org",
        "taken@example.org",
      ]);
    });

    it("accepts a code once, within 10 minutes and 5 attempts, and only for its own address and user", async () => {
      const user = await server.signIn("codes@example.org");
      const thief = await server.signIn("thief@example.org");
      await put(user, { email: "codes.new@example.org" });
      await put(thief, { email: "thief.new@example.org" });
      const code = await server.code("codes.new@example.org");
      expect((await put(thief, { email: "codes.new@example.org", code })).status).to.equal(400);
      expect((await put(user, { email: "codes.other@example.org", code })).status).to.equal(400);
      for (let tries = 0; tries < 5; tries += 1)
        expect((await put(user, { email: "codes.new@example.org", code: otherThan(code) })).status).to.equal(
          400,
        );
      expect((await put(user, { email: "codes.new@example.org", code })).status, "the sixth").to.equal(400);

      server.clock.advance(1);
      await put(user, { email: "codes.new@example.org" });
      const late = await server.code("codes.new@example.org");
      server.clock.advance(10 * minuteMs);
      expect((await put(user, { email: "codes.new@example.org", code: late })).status, "too late").to.equal(
        400,
      );

      await user.refresh();
      await proveByCode(server, user, "codes@example.org");
      await confirmed(user, "codes.new@example.org");
      const used = await server.code("codes.new@example.org");
      const again = await put(user, { email: "codes.new@example.org", code: used });
      expect(again.status, "used").to.equal(400);
    });

    it("sends a code that cannot sign in, and leaves a sign-in code valid", async () => {
      const user = await server.signIn("apart@example.org");
      const visitor = server.client();
      await visitor.call("POST", "/login", { body: { email: "apart.new@example.org" } });
      const signIn = await server.code("apart.new@example.org");
      server.clock.advance(1);
      await put(user, { email: "apart.new@example.org" });
      const change = await server.code("apart.new@example.org");
      const login = (otp: string) =>
        visitor.call("PUT", "/login", { body: { email: "apart.new@example.org", otp } });
      if (change !== signIn) expect((await login(change)).status).to.equal(401);
      expect((await login(signIn)).json).to.have.property("status", "plan_selection_required");
    });

    it("sends at most 5 codes an hour to one address, and at most 5 on behalf of one user", async () => {
      const [one, two] = [
        await server.signIn("asks@example.org"),
        await server.signIn("asks.too@example.org"),
      ];
      const target = "flooded@example.org";
      for (let mails = 0; mails < 3; mails += 1)
        expect((await put(one, { email: target })).status).to.equal(200);
      await pruneAll(server.database, server.clock.now());
      for (let mails = 0; mails < 2; mails += 1)
        expect((await put(two, { email: target })).status).to.equal(200);
      const flooded = await put(two, { email: target });
      expect(flooded.status).to.equal(429);
      expect(Number(flooded.headers.get("retry-after"))).to.be.within(3_541, 3_600);
      expect(messageOf(flooded)).to.equal(
        "Too many codes were sent to this address. Try again in 60 minutes.",
      );
      expect((await server.client().call("POST", "/login", { body: { email: target } })).status).to.equal(
        429,
      );

      for (let mails = 0; mails < 2; mails += 1)
        expect((await put(one, { email: `flood${mails}@example.org` })).status).to.equal(200);
      expect(messageOf(await put(one, { email: "flood2@example.org" }))).to.equal(
        "You have asked for many codes. Try again in 60 minutes.",
      );
      server.clock.advance(60 * minuteMs);
      for (const user of [one, two]) await user.refresh();
      await proveByCode(server, two, "asks.too@example.org");
      expect((await put(two, { email: target })).status).to.equal(200);
    });

    it("requires the second factor if the account has one, and uses up no such code when the mailed code is wrong", async () => {
      const { browser, secret } = await protect(server, "two.factors@example.org");
      const email = "two.new@example.org";
      await put(browser, { email });
      const code = await server.code(email);
      const missing = await put(browser, { email, code });
      expect([missing.status, fieldOf(missing)]).to.deep.equal([400, "twoFactorCode"]);
      const wrong = await put(browser, {
        email,
        code,
        twoFactorCode: wrongCodeAt(secret, server.clock.now()),
      });
      expect([wrong.status, fieldOf(wrong)]).to.deep.equal([400, "twoFactorCode"]);
      const right = codeNow(server, secret);
      const mistyped = await put(browser, { email, code: otherThan(code), twoFactorCode: right });
      expect([mistyped.status, fieldOf(mistyped)]).to.deep.equal([400, "code"]);
      const changed = await put(browser, { email, code, twoFactorCode: right });
      expect(changed.status).to.equal(200);
      expect(changed.json).to.have.nested.property("user.twoFactor.enabled", true);
    });

    it("invalidates a sign-in of the old address that still waits for its second factor", async () => {
      const { browser, secret } = await protect(server, "proved@example.org");
      await server.client().call("POST", "/login", { body: { email: "proved@example.org" } });
      const response = await server.client().call("PUT", "/login", {
        body: { email: "proved@example.org", otp: await server.code("proved@example.org") },
      });
      const { tempToken } = response.json as { tempToken: string };
      await confirmed(browser, "proved.new@example.org", { twoFactorCode: codeNow(server, secret) });
      server.clock.advance(30_000);
      const late = await server.client().call("POST", "/login/verify2fa", {
        body: { email: "proved@example.org", code: codeNow(server, secret), tempToken },
      });
      expect(late.status).to.equal(401);
    });

    it("happens once for ten concurrent requests, and a repeated request gets the first answer", async () => {
      const user = await server.signIn("hasty.change@example.org");
      const email = "hasty.new@example.org";
      await put(user, { email });
      const code = await server.code(email);
      const headers = { "x-request-id": "the-same-change" };
      const first = await user.call("PUT", "/account/profile", { body: { email, code }, headers });
      expect(first.status).to.equal(200);
      const again = await user.call("PUT", "/account/profile", { body: { email, code }, headers });
      expect([again.status, again.text]).to.deep.equal([200, first.text]);

      const next = "hasty.next@example.org";
      await put(user, { email: next });
      const nextCode = await server.code(next);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => put(user, { email: next, code: nextCode })),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(await server.mails("hasty.new@example.org")).to.have.length(2);
    });

    it("gives an address to only one of two users who confirm it at the same time", async () => {
      const users = [await server.signIn("race.a@example.org"), await server.signIn("race.b@example.org")];
      const email = "race.goal@example.org";
      const codes: string[] = [];
      for (const user of users) {
        server.clock.advance(1);
        await put(user, { email });
        codes.push(await server.code(email));
      }
      const answers = await Promise.all(users.map((user, at) => put(user, { email, code: codes[at] })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    });

    it("requires a session", async () => {
      expect((await put(server.client(), { email: "x@example.org" })).status).to.equal(401);
    });
  });
