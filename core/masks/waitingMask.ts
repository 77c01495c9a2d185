import * as t from "io-ts";
import { StoredDraft } from "./maskDraft.ts";

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

/** The waiting masks of one user, in the order in which they were made; those of another user are ignored (D45). */
export const StoredWaitingMasks = t.type({ owner: t.string, masks: t.readonlyArray(WaitingMask) });

type Waiting = readonly WaitingMask[];

const replaceIn = (list: Waiting, id: string, change: (mask: WaitingMask) => WaitingMask): Waiting =>
  list.map((mask) => (mask.id === id ? change(mask) : mask));

/** True if the user may still change a mask: not while it may be made already. */
export const isOpenToChange = ({ isSent }: WaitingMask): boolean => isSent !== true;

/** The warning for a logout, which deletes the masks that are not made yet (D45). */
export const waitingWarning = (count: number): string | null => {
  if (count === 0) return null;
  if (count === 1) return "1 mask is not created yet. Logging out deletes it.";
  return `${count} masks are not created yet. Logging out deletes them.`;
};

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
