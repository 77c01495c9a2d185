import { expect } from "chai";
import { explainDetail } from "../../../../core/mailLog/explainEntry.ts";
import type { LogEntry, LogPage } from "../../../../core/mailLog/logEntry.ts";
import { pruneEndlessLogs } from "../../../../server/features/mailLog/pruneLog.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import {
  addAppPassword,
  type RunningSubmission,
  startSubmission,
  useCertificate,
} from "../../support/submissionServer.ts";
import { until } from "../../support/until.ts";

const bob = "bob@shop.example";

/** `returned` is the Message-ID of the mail that the report returns. */
const reportOf = (recipient: string, returned: string): string =>
  [
    "From: Mail Delivery <mailer-daemon@shop.example>",
    "Subject: Undelivered",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
    "",
    "--r",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.shop.example",
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    "Action: failed",
    "Status: 5.1.1",
    `Diagnostic-Code: smtp; 550 5.1.1 <${recipient}> is not here`,
    "--r",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: ${returned}`,
    "",
    "--r--",
    "",
  ].join("\r\n");

for (const store of everyStore)
  describe(`The log of sent mail, on ${store.name}`, () => {
    const certificate = useCertificate();
    let here: HeldServer;
    let reverse: string;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
      await here.send(bob, letter(`Bob <${bob}>`));
      await until("Bob's mail has come", () => {
        here.delivery.wake();
        const texts = here.sink.mails.map(({ content }) => String(content));
        const from = texts.map((text) => /^From:[^:]*<(re-[a-z2-7]{32}@masks\.test)>/m.exec(text)?.[1]);
        reverse = from.find((address) => address !== undefined) ?? "";
        return reverse !== "";
      });
    });
    afterEach(() => here?.stop());

    /** The Message-ID of the newest mail that has left. */
    const lastMessageId = (): string =>
      /^Message-ID: (\S+)/im.exec(String(here.sink.mails.at(-1)?.content))?.[1] ?? "";
    const turnOn = (keep = "address") => here.ada.call("PUT", "/log/settings", { body: { keep } });
    const entries = async (query = "?direction=sent"): Promise<readonly LogEntry[]> =>
      ((await here.ada.call("GET", `/log${query}`)).json as LogPage).mails;
    const untilResult = (result: string, query?: string): Promise<void> =>
      until(`it is ${result}`, async () => {
        here.delivery.wake();
        return (await entries(query))[0]?.result === result;
      });
    const steps = async (query?: string) =>
      (await entries(query))[0]?.steps.map(({ state, detail }) => [state, detail?.to, detail?.answer]);
    const reply = (more: readonly string[] = []): Promise<string> =>
      here.send(adaEmail, letter(`Ada <${adaEmail}>`, more).replace("mask@masks.test", reverse), reverse);

    it("shows a reply with mask, recipient, size and the answer of the recipient's server", async () => {
      await turnOn();
      expect(await reply()).to.match(/^250/);
      await untilResult("delivered");
      const [entry] = await entries("");
      expect(entry).to.deep.include({ direction: "sent", maskId: here.mask.id, result: "delivered" });
      expect(entry?.detail).to.deep.include({ from: "", to: [bob], cause: "sent" });
      expect(entry?.detail?.size).to.be.greaterThan(100);
      const [[state, to, answer] = []] = (await steps()) ?? [];
      expect([state, to]).to.deep.equal(["delivered", bob]);
      expect(answer).to.match(/^250/);
      expect(await entries("?direction=received")).to.deep.equal([]);
      expect((await entries("?direction=sent&q=bob@shop")).length).to.equal(1);
    });

    it("keeps nothing while the log is off, and only the recipient's domain where the owner wants that", async () => {
      await reply();
      expect(await entries()).to.deep.equal([]);
      await turnOn("domain");
      await reply();
      await untilResult("delivered");
      const [entry] = await entries();
      expect(entry?.detail?.to).to.deep.equal(["shop.example"]);
      expect(entry?.steps[0]?.detail?.to).to.equal("shop.example");
      const { db } = here.server.database;
      const stored = [
        await db.selectFrom("log_entries").where("user_id", "!=", bystander.id).selectAll().execute(),
        await db.selectFrom("log_steps").where("entry_id", "!=", bystander.logEntryId).selectAll().execute(),
      ];
      expect(JSON.stringify(stored)).not.to.contain(bob);
    });

    it("shows a delay, and the delivery after it", async () => {
      await turnOn();
      here.sink.onContent = ({ to }) => (to === bob ? "451 4.3.2 come back later" : null);
      await reply();
      await untilResult("deferred");
      here.sink.onContent = () => null;
      here.server.clock.advance(10 * 60_000);
      await untilResult("delivered");
      expect((await steps())?.map(([state, to]) => [state, to])).to.deep.equal([
        ["deferred", bob],
        ["delivered", bob],
      ]);
    });

    it("shows a reply that the recipient's server refuses, with its answer", async () => {
      await turnOn();
      here.sink.onContent = ({ to }) => (to === bob ? "554 5.7.1 no such luck" : null);
      await reply();
      await untilResult("held");
      expect(await steps()).to.deep.equal([["held", bob, "554 5.7.1 no such luck"]]);
    });

    it("shows a reply that was refused here, with the sentence of its code, and no attempt of a stranger", async () => {
      await turnOn();
      expect(await reply(["Auto-Submitted: auto-replied"])).to.contain("BAUTA-R4");
      await untilResult("rejected");
      const [entry] = await entries();
      expect(entry?.detail).to.deep.include({ to: [bob], cause: "BAUTA-R4" });
      expect(explainDetail(entry?.detail ?? { from: "", cause: "sent" }).join(" ")).to.match(
        /^It was not sent: it was automatic.*Your mail server or program was answered “550 5\.7\.1 BAUTA-R4/,
      );
      expect(await here.send("eve@elsewhere.example", letter("eve@elsewhere.example"), reverse)).to.match(
        /^550/,
      );
      expect(await reply()).to.match(/^250/);
      expect((await entries()).length).to.equal(2);
    });

    it("shows a reply that its server has accepted and reports as undeliverable later", async () => {
      await turnOn();
      await reply();
      await untilResult("delivered");
      expect(await here.send("", reportOf(bob, lastMessageId()))).to.match(/^250/);
      await untilResult("bounced");
      const bounced = (await steps())?.find(([state]) => state === "bounced");
      expect(bounced).to.deep.equal(["bounced", bob, "550 5.1.1 <[address]> is not here"]);
    });

    it("shows a received mail that the owner's server reports as undeliverable later", async () => {
      await turnOn();
      const count = here.sink.mails.length;
      await here.send(bob, letter(`Bob <${bob}>`, [], "Once more"));
      await untilResult("delivered", "?direction=received");
      const returnPath = here.sink.mails[count]?.from ?? "";
      expect(await here.send("", reportOf(adaEmail, "<any@shop.example>"), returnPath)).to.match(/^250/);
      await untilResult("bounced", "?direction=received");
      expect((await steps("?direction=received"))?.at(-1)?.slice(0, 2)).to.deep.equal(["bounced", adaEmail]);
    });

    it("shows that a rule has answered a received mail", async () => {
      await turnOn();
      const away = rule([{ type: "auto-reply", params: { subject: "", message: "I am away." } }]);
      await setRules(here.server.database.db, { id: here.mask.id, email: "" }, [away]);
      await here.send(bob, letter(`Bob <${bob}>`).replace("mask@masks.test", here.mask.maskEmail));
      await untilResult("delivered", "?direction=received");
      expect((await steps("?direction=received"))?.map(([state]) => state)).to.have.members([
        "replied",
        "delivered",
      ]);
    });

    it("keeps the newest entries only where the plan's history has no end", async () => {
      await turnOn();
      for (const number of [1, 2, 3]) await here.send(`${number}@shop.example`, letter("shop@shop.example"));
      const { db } = here.server.database;
      const kept = async () => (await entries("")).map(({ detail }) => detail?.from);
      const all = await kept();
      await pruneEndlessLogs(db, 2);
      expect(await kept()).to.deep.equal(all);
      await db.updateTable("users").where("id", "!=", bystander.id).set({ tier: "self_hosted" }).execute();
      await pruneEndlessLogs(db, 3);
      expect(await kept()).to.deep.equal(all);
      await pruneEndlessLogs(db, 2);
      expect(await kept()).to.deep.equal(all.slice(0, 2));
    });

    describe("from a mail program", () => {
      let submission: RunningSubmission;
      let password: string;
      beforeEach(async () => {
        const { database } = here.server;
        const { id } = await database.db
          .selectFrom("users")
          .where("id", "!=", bystander.id)
          .select("id")
          .executeTakeFirstOrThrow();
        password = await addAppPassword(database, { id, email: adaEmail });
        submission = await startSubmission(database, here.relay, certificate(), {
          domain: named("masks.test"),
        });
      });
      afterEach(() => submission?.close());

      const submit = (from: string): Promise<unknown> =>
        submission.program(adaEmail, password).sendMail({
          from,
          envelope: { from: here.mask.maskEmail, to: [bob, "carol@shop.example"] },
          to: bob,
          subject: "An order",
          text: "Please.",
        });

      it("names all recipients of a first mail once, and the answers to each copy", async () => {
        await turnOn();
        await submit(here.mask.maskEmail);
        await untilResult("delivered");
        const [entry] = await entries();
        expect(entry?.detail?.to).to.deep.equal([bob, "carol@shop.example"]);
        expect((await steps())?.map(([, to]) => to)).to.have.members([bob, "carol@shop.example"]);
      });

      it("shows a mail that was refused because it comes from none of the owner's masks", async () => {
        await turnOn();
        const refused = await submit("other@masks.test").then(
          () => "accepted",
          (error: unknown) => String(error),
        );
        expect(refused).to.contain("BAUTA-R9");
        await untilResult("rejected");
        expect((await entries())[0]).to.deep.include({ maskId: "" });
        expect((await entries())[0]?.detail).to.deep.include({ cause: "BAUTA-R9" });
      });
    });
  });
