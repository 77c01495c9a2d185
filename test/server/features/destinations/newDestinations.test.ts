import { expect } from "chai";
import type { ApiScope } from "../../../../core/api/apiScope.ts";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { bystander } from "../../support/bystander.ts";
import type { Answer, Client } from "../../support/client.ts";
import { addedDestination, namedDestinations, ruleTo } from "../../support/namedDestinations.ts";
import { proveByCode } from "../../support/recentProof.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

const email = "owner@home.example";
const confirmed = "second@home.example";
const thief = "thief@elsewhere.example";

const everyWay = [...namedDestinations, addedDestination];

for (const store of everyStore)
  describe(`Addresses that are not confirmed, on ${store.name}`, () => {
    let server: TestServer;
    let owner: Client;
    let maskId: string;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ clockStands: true, store });
      owner = await server.signIn(email);
      await setTier(server.database, email, "pro");
      await owner.call("POST", "/destinations", { body: { email: confirmed } });
      await server.database.db
        .updateTable("destinations")
        .set({ confirmed_at: 1 })
        .where("email", "=", confirmed)
        .execute();
      maskId = await newMask();
    });
    afterEach(() => server?.stop());

    const newMask = async (): Promise<string> =>
      ((await owner.call("POST", "/masks", { body: { description: "Shop" } })).json as { id: string }).id;
    const tokenCall = async (scopes: readonly ApiScope[]): Promise<Client["call"]> => {
      const body = { name: "Password manager", scopes, domain: null, lifetimeDays: 90 };
      const made = await owner.call("POST", "/account/api-tokens", { body });
      const { token } = made.json as { token: string };
      const client = server.client();
      client.token = token;
      return client.call;
    };
    const emails = async (): Promise<readonly string[]> =>
      (
        await server.database.db
          .selectFrom("destinations")
          .where("user_id", "!=", bystander.id)
          .select("email")
          .orderBy("created_at")
          .execute()
      )
        .map((row) => row.email)
        .sort();
    const notices = async (about: string) =>
      (await server.database.db.selectFrom("notifications").selectAll().orderBy("id").execute()).filter(
        ({ message, type }) => message.includes(about) && type === "security",
      );
    const mailsAbout = async (address: string): Promise<number> =>
      (await server.mails(email)).filter(({ text }) => text.includes(address)).length;
    const removeAll = async (address: string): Promise<void> => {
      await server.database.db.deleteFrom("mask_destinations").where("user_id", "!=", bystander.id).execute();
      await server.database.db
        .updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set((e) => ({
          rules: "[]",
          destination_id: e.selectFrom("destinations").select("id").where("email", "=", confirmed),
        }))
        .execute();
      await server.database.db.deleteFrom("account_rules").where("user_id", "!=", bystander.id).execute();
      await server.database.db.deleteFrom("destinations").where("email", "=", address).execute();
    };
    const isFine = ({ status, text }: Answer): boolean => status < 300 && !text.includes('"status":4');

    it("are named by no API token without the scope for them, in any way", async () => {
      const call = await tokenCall(["masks:create", "masks:read", "masks:write", "account:read"]);
      for (const { what, send } of everyWay) {
        const answer = await send(call, thief, { id: maskId, confirmed });
        expect(answer.status, `${what}: ${answer.text}`).to.equal(403);
        expect(answer.text, what).to.contain("destinations");
      }
      const mailbox = await call("POST", "/api/mailboxes", { body: { email: thief } });
      expect(mailbox.status).to.equal(403);
      expect(await emails()).to.deep.equal([email, confirmed]);
      expect(await server.mails(thief)).to.deep.equal([]);
      for (const { what, send } of namedDestinations) {
        const answer = await send(call, confirmed, { id: maskId, confirmed });
        expect(isFine(answer), `${what}: ${answer.text}`).to.equal(true);
      }
    });

    it("are named by a session only after a recent proof, in any way", async () => {
      server.clock.advance(5 * minuteMs + 1);
      for (const { what, send } of everyWay) {
        const answer = await send(owner.call, thief, { id: maskId, confirmed });
        expect(answer.status, `${what}: ${answer.text}`).to.equal(403);
        expect((answer.json as { errors: object[] }).errors, what).to.deep.include({
          field: "proof",
          message: "Confirm that it is you, then try again.",
        });
      }
      expect(await emails()).to.deep.equal([email, confirmed]);
      expect(await server.mails(thief)).to.deep.equal([]);
      for (const { what, send } of namedDestinations) {
        const answer = await send(owner.call, confirmed, { id: maskId, confirmed });
        expect(isFine(answer), `${what}: ${answer.text}`).to.equal(true);
      }
      await proveByCode(server, owner, email);
      const proven = await owner.call("PUT", `/masks/${maskId}`, { body: { forwardTo: thief } });
      expect(proven.json).to.include({ forwardTo: thief, confirmationSent: true });
    });

    it("are told to the owner by mail and in the app once each, whoever adds them", async () => {
      const call = await tokenCall(["masks:create", "masks:write", "destinations"]);
      const byToken = {
        who: 'by the API token "Password manager"',
        priority: "high",
        by: call,
        ways: everyWay,
      };
      const bySession = {
        who: "by somebody who is logged in",
        priority: "normal",
        by: owner.call,
        ways: [...namedDestinations.slice(0, 1), addedDestination],
      };
      for (const { who, priority, by, ways } of [byToken, bySession])
        for (const { what, send } of ways) {
          const address = `${what.replace(/[^a-z]/g, "")}@new.example`;
          const [before, mailsBefore] = [await notices(address), await mailsAbout(address)];
          // Of the limit of 10 new addresses a day.
          await server.database.db
            .updateTable("destinations")
            .where("user_id", "!=", bystander.id)
            .set({ asked_at: null })
            .execute();
          const answer = await send(by, address, { id: maskId, confirmed });
          expect(isFine(answer), `${what}: ${answer.text}`).to.equal(true);
          await send(by, address, { id: maskId, confirmed });
          const told = (await notices(address)).slice(before.length);
          expect(told, what).to.have.length(1);
          expect(told[0]?.message).to.contain(`${address} was added`).and.to.contain(who);
          expect(told[0]?.priority, what).to.equal(priority);
          expect(await mailsAbout(address), what).to.equal(mailsBefore + 1);
          await removeAll(address);
        }
    });

    it("stay with the mask or rule that names them already, and a token gives them to no other", async () => {
      await owner.call("PUT", `/masks/${maskId}`, {
        body: { forwardTo: "waiting@home.example", settings: { rules: [ruleTo("waits@home.example")] } },
      });
      const other = await newMask();
      const call = await tokenCall(["masks:create", "masks:write"]);
      const same = await call("PUT", `/masks/${maskId}`, {
        body: {
          forwardTo: "Waiting@home.example",
          settings: { rules: [ruleTo("waits@home.example", "Renamed")] },
        },
      });
      expect(same.status).to.equal(200);
      for (const to of ["waiting@home.example", "waits@home.example"])
        for (const { what, send } of namedDestinations) {
          const answer = await send(call, to, { id: other, confirmed });
          expect(answer.status, what).to.equal(403);
        }
    });

    it("that the account has are named by its old sessions too, so that a long import needs one proof", async () => {
      await owner.call("POST", "/destinations", { body: { email: "waiting@home.example" } });
      server.clock.advance(6 * minuteMs);
      for (const { what, send } of namedDestinations) {
        const answer = await send(owner.call, "waiting@home.example", { id: maskId, confirmed });
        expect(isFine(answer), `${what}: ${answer.text}`).to.equal(true);
      }
    });

    it("are not brought back from a removed address by a rule that still names it", async () => {
      await owner.call("PUT", `/masks/${maskId}`, { body: { settings: { rules: [ruleTo(thief)] } } });
      const { destinations } = (await owner.call("GET", "/destinations")).json as {
        destinations: { id: string; email: string }[];
      };
      const id = destinations.find((one) => one.email === thief)?.id ?? "";
      await owner.call("DELETE", `/destinations/${id}`, { body: { masks: { kind: "switchOff" } } });
      const call = await tokenCall(["masks:write"]);
      const answer = await call("PUT", `/masks/${maskId}`, {
        body: { settings: { rules: [ruleTo(thief, "Renamed")] } },
      });
      expect(answer.status).to.equal(403);
      expect((await emails()).includes(thief)).to.equal(false);
    });
  });
