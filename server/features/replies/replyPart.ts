import type { MailPart, Treatment } from "../../relay/mailPart.ts";
import { Note } from "../../relay/notes.ts";
import type { ReverseAddress } from "../correspondents/reverseAddresses.ts";
import { ShownDescriptions } from "../correspondents/shownDescriptions.ts";
import type { Replies } from "./replies.ts";

const reverseNote = new Note<readonly ReverseAddress[]>();

/** Directs answers to forwarded mail through its mask. */
const createAnswerTreatment =
  ({ prepareAnswer }: Pick<Replies, "prepareAnswer">): Treatment =>
  ({ content, header, sender }) =>
  async ({ route, replaced, people }) => {
    const mail = { content: content.head, header };
    const { from, fields, calendarNames, reverse } = await prepareAnswer(
      mail,
      sender,
      route,
      replaced,
      people,
    );
    return { answer: { ...fields, from, calendarNames }, notes: reverseNote.of(reverse) };
  };

/** Creates the treatment of copies by which their answers go through the mask, and the record of those who may be answered. */
export const createReplyPart = (replies: Pick<Replies, "prepareAnswer" | "record">): MailPart => {
  const shownDescriptions = new ShownDescriptions();
  return {
    treatments: [createAnswerTreatment(replies)],
    records: [
      {
        store: async ({ db, now }, mails) => {
          await replies.record(
            db,
            mails.flatMap(({ decided }) => reverseNote.in(decided) ?? []),
          );
          await shownDescriptions.record(
            db,
            mails.map(({ decided }) => decided.route),
            now,
          );
        },
      },
    ],
  };
};
