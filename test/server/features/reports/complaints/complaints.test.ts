import { expect } from "chai";
import { dayMs } from "../../../../../core/kernel/durations.ts";
import { parseFeedbackReport } from "../../../../../server/features/reports/complaints/feedbackReport.ts";
import { bystander } from "../../../support/bystander.ts";
import { onEachDatabase } from "../../../support/databases.ts";
import { maskDomain } from "../../../support/listener.ts";
import { useRelay } from "../../../support/relay.ts";
import { queueMail } from "../../../support/runningDelivery.ts";

const hexOf = (id: string): string => Buffer.from(id).toString("hex");

/** A report of a feedback loop (RFC 5965, appendix B). */
const arf = ({
  type = "abuse",
  fields = [] as readonly string[],
  header = [] as readonly string[],
} = {}): string =>
  [
    "From: <abusedesk@provider.example>",
    `To: <complaints@${maskDomain}>`,
    "Subject: FW: Earn money",
    "MIME-Version: 1.0",
    "Content-Type: multipart/report; report-type=feedback-report;",
    '     boundary="part1_13d.2e68ed54_boundary"',
    "",
    "--part1_13d.2e68ed54_boundary",
    'Content-Type: text/plain; charset="US-ASCII"',
    "",
    "This is an email abuse report.",
    "",
    "--part1_13d.2e68ed54_boundary",
    "Content-Type: message/feedback-report",
    "",
    `Feedback-Type: ${type}`,
    "User-Agent: SomeGenerator/1.0",
    "Version: 1",
    ...fields,
    "",
    "--part1_13d.2e68ed54_boundary",
    "Content-Type: text/rfc822-headers",
    "",
    ...header,
    "Subject: Earn money",
    "",
    "--part1_13d.2e68ed54_boundary--",
    "",
  ].join("\r\n");

describe("A report of a feedback loop", () => {
  it("names the mail by its return path or by the id that it was sent with", () => {
    const [one, two] = ["0mhz1abc", "0mhz2def"];
    const read = parseFeedbackReport(
      Buffer.from(
        arf({
          fields: [`Original-Mail-From: <bounces+${hexOf(one).toUpperCase()}@${maskDomain}>`],
          header: [`CFBL-Feedback-ID: ${hexOf(two)}`],
        }),
      ),
    );
    expect(read).to.deep.equal({ type: "abuse", mailIds: [one, two] });
    const folded = arf({ header: ["CFBL-Feedback-ID:", ` ${hexOf(two)}`] });
    expect(parseFeedbackReport(Buffer.from(folded))?.mailIds).to.deep.equal([two]);
    const many = arf({ header: Array.from({ length: 50 }, (_, n) => `X: bounces+${hexOf(`id${n}`)}@x`) });
    expect(parseFeedbackReport(Buffer.from(many))?.mailIds).to.have.lengthOf(10);
  });

  it("is no other mail", () => {
    for (const text of [
      "",
      "Subject: x\r\n\r\nFeedback-Type: abuse\r\n",
      arf().replace("Feedback-Type", "Type"),
    ])
      expect(parseFeedbackReport(Buffer.from(text))).to.equal(null);
  });
});

describe("A complaint about forwarded mail", () => {
  onEachDatabase(({ database }) => {
    const { owner, mask, relay } = useRelay(database);

    const forward = (maskId = mask.id): Promise<string> =>
      queueMail(database().db, { userId: owner.id, maskId, recipient: owner.email }, relay.clock.now());
    const send = async (to: string, content: string, from = "abusedesk@provider.example"): Promise<string> =>
      (await relay.connect()).mail(from, [to], content);
    const complain = async (id: string, more: Parameters<typeof arf>[0] = {}) =>
      send(`complaints@${maskDomain}`, arf({ header: [`CFBL-Feedback-ID: ${hexOf(id)}`], ...more }));
    const messages = async () =>
      (
        await database()
          .db.selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .select(["user_id", "message"])
          .execute()
      ).map(({ user_id, message }) => {
        expect(user_id).to.equal(owner.id);
        return message;
      });
    const isOn = async () =>
      (
        await database()
          .db.selectFrom("masks")
          .where("id", "=", mask.id)
          .selectAll()
          .executeTakeFirstOrThrow()
      ).active === 1;

    it("tells the owner of the mask once a day, wherever the report arrives", async () => {
      const ids = [await forward(), await forward(), await forward()];
      const [first = "", second = "", third = ""] = ids;
      expect(await complain(first)).to.match(/^250/);
      expect(await complain(first), "again").to.match(/^250/);
      expect(await send(`bounces+${hexOf(second)}@${maskDomain}`, arf())).to.match(/^250/);
      const reported = arf({ fields: [`Original-Mail-From: <bounces+${hexOf(third)}@${maskDomain}>`] });
      expect(await send(`abuse@${maskDomain}`, reported)).to.match(/^250/);
      expect(await messages()).to.deep.equal([
        `Your mail provider says that an email to ${mask.email} was marked as spam. That harms the delivery of all your masks: block its sender, or switch the mask off, instead.`,
      ]);
      const complaints = await database()
        .db.selectFrom("complaints")
        .where("user_id", "!=", bystander.id)
        .select("queue_id")
        .execute();
      expect(complaints.map(({ queue_id }) => queue_id)).to.have.members(ids);
      expect(await isOn()).to.equal(true);
      await relay.clock.advance(dayMs + 1);
      await complain(await forward());
      expect(await messages()).to.have.lengthOf(2);
    });

    it("pauses a mask with five of them in a day, whose mail is then held, and says why", async () => {
      for (let count = 0; count < 15; count += 1) await forward();
      for (let count = 0; count < 5; count += 1) {
        expect(await isOn(), `after ${count}`).to.equal(true);
        await complain(await forward());
      }
      expect(await isOn()).to.equal(false);
      expect((await messages()).at(-1)).to.equal(
        `The mask ${mask.email} is switched off and its mail is held: your mail provider says that 5 of 20 emails to it within a day were marked as spam, more than 0.3%. Block the senders that you do not want, then switch it on again.`,
      );
      const before = (await messages()).length;
      await complain(await forward());
      expect(await messages(), "only once").to.have.lengthOf(before);
    });

    it("pauses no mask where they are few among much mail, or spread over days", async () => {
      const ids: string[] = [];
      for (let count = 0; count < 1_700; count += 1) ids.push(await forward());
      for (const id of ids.slice(0, 5)) await complain(id);
      expect(await isOn(), "5 of 1,700").to.equal(true);
      await relay.clock.advance(dayMs + 1);
      for (let count = 0; count < 4; count += 1) await complain(await forward());
      expect(await isOn(), "4 on the next day").to.equal(true);
    });

    it("counts for nobody when it praises the mail, or names none of ours or a reply", async () => {
      await complain(await forward(), { type: "not-spam" });
      await complain("unknown");
      const reply = { userId: owner.id, maskId: mask.id, envelopeSender: mask.email };
      await complain(await queueMail(database().db, reply, relay.clock.now()));
      await complain(await queueMail(database().db, {}, relay.clock.now()));
      expect(await messages()).to.deep.equal([]);
    });

    it("is taken as such alone: other mail to these addresses is refused", async () => {
      const id = await forward();
      expect(await send(`complaints@${maskDomain}`, "Subject: Buy\r\n\r\nx\r\n")).to.match(/^550 5\.1\.1 /);
      expect(await send(`bounces+${hexOf(id)}@${maskDomain}`, "Subject: Buy\r\n\r\nx\r\n")).to.match(
        /^550 5\.1\.1 /,
      );
      expect(await send(`bounces+${hexOf("no")}@${maskDomain}`, arf())).to.match(/^550 5\.1\.1 /);
      expect(await send(`bounces@${maskDomain}`, arf())).to.match(/^550 5\.1\.1 /);
    });
  });
});
