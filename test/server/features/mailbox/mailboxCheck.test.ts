import { expect } from "chai";
import { MailboxError, mailboxProblems } from "../../../../server/features/mailbox/mailbox.ts";
import { checkMailbox } from "../../../../server/features/mailbox/mailboxCheck.ts";
import { createFakeMailbox } from "./fakeMailbox.ts";

describe("The check of the mailbox that mail is fetched from", () => {
  it("says how much mail waits there", async () => {
    const fake = createFakeMailbox();
    expect(await checkMailbox(fake.open)).to.include({ state: "ok", is: "empty" });
    await fake.deliver("a");
    expect(await checkMailbox(fake.open)).to.include({ state: "ok", is: "1 to fetch" });
  });

  it("warns of mail that was left there for nobody, and says what may help", async () => {
    const fake = createFakeMailbox();
    for (let n = 0; n < 3; n += 1) await fake.deliver("a");
    const mailbox = await fake.open();
    await mailbox.mark([1, 2]);
    const check = await checkMailbox(fake.open);
    expect(check).to.include({ state: "warning", is: "2 mails were left there, for no mask of this server" });
    expect(check.advice).to.include("IMAP_RECIPIENT_HEADER");
  });

  it("names everything that can be wrong with a mailbox, and what helps", async () => {
    for (const problem of Object.keys(mailboxProblems) as (keyof typeof mailboxProblems)[]) {
      const check = await checkMailbox(() => Promise.reject(new MailboxError(problem)));
      expect(check).to.deep.equal({ name: "mailbox", state: "problem", ...mailboxProblems[problem] });
    }
    expect(await checkMailbox(() => Promise.reject(new Error("odd")))).to.include({ state: "problem" });
  });
});
