import type { Check } from "../../../core/operator/operatorEndpoints.ts";
import { listedTogether } from "./fetchMailbox.ts";
import { MailboxError, mailboxProblems, type OpenMailbox } from "./mailbox.ts";

const name = "mailbox";

/** Counts the mails that are marked because nobody here is meant. */
const countLeft = async ({ count, list }: OpenMailbox): Promise<number> => {
  let unmarked = 0;
  for (let first = 1; first <= count(); first += listedTogether)
    unmarked += (await list(first, Math.min(first + listedTogether - 1, count()))).length;
  return count() - unmarked;
};

/** Checks that a mailbox can be opened, and how much mail was left there. */
export const checkMailbox = async (open: () => Promise<OpenMailbox>): Promise<Check> => {
  let mailbox: OpenMailbox | null = null;
  try {
    mailbox = await open();
    const left = await countLeft(mailbox);
    if (left > 0)
      return {
        name,
        state: "warning",
        is: `${left === 1 ? "1 mail was" : `${left} mails were`} left there, for no mask of this server`,
        advice:
          "Look at them: where they are for your masks, name the field with the recipient in IMAP_RECIPIENT_HEADER; delete the others",
      };
    const waiting = mailbox.count();
    return { name, state: "ok", is: waiting === 0 ? "empty" : `${waiting} to fetch`, advice: null };
  } catch (error) {
    const problem = error instanceof MailboxError ? error.problem : "wrong-answer";
    return { name, state: "problem", ...mailboxProblems[problem] };
  } finally {
    mailbox?.close();
  }
};
