import * as t from "io-ts";
import { StoredDraft } from "./maskDraft.ts";
import { WaitingChange } from "./waitingChange.ts";

/** A mask that was made without a connection: its address comes from the server. */
const WaitingMask = t.intersection([
  t.type({
    /** The request id at the server, which makes one mask for it however often it is sent. */
    id: t.string,
    draft: StoredDraft,
  }),
  t.partial({
    /** It was sent, and no answer has come: it may be made already. */
    isSent: t.literal(true),
    /** The reason for which the server has refused it; it waits for the user. */
    refusal: t.string,
  }),
]);
export type WaitingMask = Readonly<t.TypeOf<typeof WaitingMask>>;

/** What waits of one user, in the order in which it was made; that of another user is ignored (D45). */
export const StoredWaitingMasks = t.intersection([
  t.type({ owner: t.string, masks: t.readonlyArray(WaitingMask) }),
  t.partial({ changes: t.readonlyArray(WaitingChange) }),
]);

type Waiting = readonly WaitingMask[];

const replaceIn = (list: Waiting, id: string, change: (mask: WaitingMask) => WaitingMask): Waiting =>
  list.map((mask) => (mask.id === id ? change(mask) : mask));

/** True if the user may still change a mask: not while it may be made already. */
export const isOpenToChange = ({ isSent }: WaitingMask): boolean => isSent !== true;

const warningOf = (count: number, one: string, many: string): readonly string[] => {
  if (count === 0) return [];
  return [count === 1 ? `1 ${one}. Logging out deletes it.` : `${count} ${many}. Logging out deletes them.`];
};

/** The warning for a logout, which deletes the masks that are not made yet, and the changes that are not saved (D45). */
export const waitingWarning = (masks: number, changes: number): string | null =>
  [
    ...warningOf(masks, "mask is not created yet", "masks are not created yet"),
    ...warningOf(changes, "change of a mask is not saved", "changes of masks are not saved"),
  ].join(" ") || null;

/** Returns the next mask to send; a refused one waits for the user. */
export const nextToSend = (list: Waiting): WaitingMask | undefined =>
  list.find(({ refusal }) => refusal === undefined);

export const markMaskSent = (list: Waiting, id: string): Waiting =>
  replaceIn(list, id, (mask) => ({ ...mask, isSent: true }));

/** Marks a mask that the server has not made: it is sent again, or waits for the user with the reason. */
export const markMaskNotMade = (list: Waiting, id: string, refusal?: string): Waiting =>
  replaceIn(list, id, ({ draft }) => ({ id, draft, ...(refusal !== undefined && { refusal }) }));

export const withoutWaiting = (list: Waiting, id: string): Waiting => list.filter((mask) => mask.id !== id);

/** Changes what a mask will be, unless it may be made already; it is sent again. */
export const editWaiting = (list: Waiting, id: string, draft: WaitingMask["draft"]): Waiting =>
  replaceIn(list, id, (mask) => (isOpenToChange(mask) ? { id, draft } : mask));

/** Removes a mask, unless it may be made already. */
export const removeWaiting = (list: Waiting, id: string): Waiting =>
  list.filter((mask) => mask.id !== id || !isOpenToChange(mask));
