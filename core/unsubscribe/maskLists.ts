import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { leaveMailingList, listMailingLists, type MailingList } from "./listEndpoints.ts";

/** The mailing lists that write to the user's masks. */
export interface MaskLists {
  /** Lists those of a mask, the latest first. */
  readonly load: (maskId: string) => TE.TaskEither<Problem, readonly MailingList[]>;
  /** Has the server leave a list for a mask, with a toast; the user has seen what that sends where nothing proves it. */
  readonly leave: (maskId: string, list: MailingList) => TE.TaskEither<Problem, MailingList>;
}

export interface MaskListsDeps {
  readonly call: Call;
  readonly toast: ShowToast;
}

const toLoadProblem = problemOf({ page: "Failed to load the mailing lists" });
const toLeaveProblem = problemOf({ page: "Failed to unsubscribe" });

/** Names a list by the name in its emails, or else by its address. */
export const listTitle = ({ name, address }: Pick<MailingList, "name" | "address">): string =>
  name === "" ? address : name;

/** Says what is sent to leave a list. */
export const sentToList = ({ to, subject, text }: NonNullable<MailingList["unproven"]>): string => {
  if (subject === "") return `A request of this server to ${to}.`;
  return `An email from the mask to ${to}, with the subject "${subject}" and ${text === "" ? "no text" : `the text "${text}"`}.`;
};

export const createMaskLists = ({ call, toast }: MaskListsDeps): MaskLists => ({
  load: (id) =>
    pipe(
      call(listMailingLists)({ params: { id } }),
      TE.bimap(toLoadProblem, ({ lists }) => lists),
    ),
  leave: (id, list) =>
    pipe(
      call(leaveMailingList)({
        params: { id, list: list.id, ...(list.unproven !== null && { confirmed: list.unproven.id }) },
      }),
      TE.bimap(toLeaveProblem, (left) => {
        toast(
          "success",
          left.leaveBy === "mail"
            ? `An email to unsubscribe is on its way to ${listTitle(left)}`
            : `Unsubscribed from ${listTitle(left)}`,
        );
        return left;
      }),
    ),
});
