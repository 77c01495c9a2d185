import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import { type CompatibleRoute, preparedWrite, signedIn, write } from "../../platform/http/compatibleApi.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import { ensureDefaultDestination, mayKnowDestinations } from "../destinations/defaultDestination.ts";
import { addDestination, readDestinations, removeDestination } from "../destinations/destinationChanges.ts";
import { createEditDestination } from "../destinations/editDestination.ts";
import { recordMaskChange } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { numbersOf } from "../publicNumbers/publicNumbers.ts";
import { findMailboxes } from "./aliasQueries.ts";
import {
  deleteMailbox,
  getMailboxes,
  getVerifiedMailboxes,
  type Mailbox,
  postMailbox,
  putMailbox,
  toMailbox,
} from "./contract/mailboxEndpoints.ts";
import { destinationIdOf } from "./numberedThings.ts";

const readAll = async (db: Db, userId: string): Promise<readonly Mailbox[]> => {
  const destinations = await readDestinations(db, userId);
  const created = new Map((await findMailboxes(db, userId)).map((row) => [row.id, Number(row.created_at)]));
  const ids = destinations.map(({ id }) => id);
  const numberOf = await numbersOf(db, { userId, kind: "destination" }, ids);
  return destinations.map((destination) =>
    toMailbox({
      destination,
      id: numberOf(destination.id),
      created: created.get(destination.id) ?? 0,
    }),
  );
};

const readKnown = async (deps: MaskDeps, auth: AuthContext): Promise<readonly Mailbox[]> => {
  await ensureDefaultDestination(deps, auth.userId);
  const all = await readAll(deps.database.db, auth.userId);
  if (mayKnowDestinations(auth)) return all;
  // Programs of SimpleLogin do not start without one.
  return all.filter((mailbox) => mailbox.default).map((mailbox) => ({ ...mailbox, email: "", nb_alias: 0 }));
};

const limited = { perMinute: perMinute.masks };
const creates = { ...limited, addsData: true } as const;

const additionRoute = (deps: MaskDeps): CompatibleRoute =>
  write(postMailbox, creates, async ({ tx, auth, body }) => {
    const { userId } = auth;
    afterCommit(tx, deps.delivery.wake);
    const known = (await findMailboxes(tx, userId)).find((row) => isSameMailbox(row.email, body.email));
    if (known && known.confirmed_at !== null)
      throw fieldError("invalid", "email", `${known.email} is one of your mailboxes already.`);
    const { id } = await addDestination(tx, deps, auth, body.email);
    const numberOf = await numbersOf(tx, { userId, kind: "destination" }, [id]);
    const added = (await readAll(tx, userId)).find((one) => one.id === numberOf(id));
    if (!added) throw new Error("the added destination cannot be read");
    return added;
  });

const removalRoute = ({ clock }: MaskDeps): CompatibleRoute =>
  write(deleteMailbox, limited, async ({ tx, auth, params, body: { transfer_aliases_to: target } }) => {
    const { userId } = auth;
    const now = clock.now();
    const id = await destinationIdOf(tx, userId, params.id);
    // Clients send -1 for none.
    const isMoved = target !== undefined && target !== null && target >= 0;
    const masks = isMoved
      ? ({ kind: "move", to: await destinationIdOf(tx, userId, target) } as const)
      : ({ kind: "switchOff" } as const);
    await removeDestination(tx, { userId, id, removal: { masks }, now });
    await recordMaskChange(tx, auth, "updated", null, now);
    return { deleted: true as const };
  });

const changeRoute = (deps: MaskDeps): CompatibleRoute => {
  const editDestination = createEditDestination(deps);
  return preparedWrite(putMailbox, limited, async ({ auth: { userId }, params, body }) => {
    if (typeof body.email === "string")
      throw fieldError(
        "invalid",
        "email",
        "The address of a mailbox cannot be changed. Add another mailbox, then delete this one.",
      );
    const edit = await editDestination(body.default === true ? { isDefault: true } : {});
    return async (tx) => {
      await edit(tx, userId, await destinationIdOf(tx, userId, params.id));
      return { updated: true as const };
    };
  });
};

/** Returns the routes of the calls about destinations. */
export const mailboxRoutes = (deps: MaskDeps): readonly CompatibleRoute[] => [
  signedIn(getVerifiedMailboxes, {}, async ({ auth }) => ({
    mailboxes: (await readKnown(deps, auth)).filter(({ verified }) => verified),
  })),
  signedIn(getMailboxes, {}, async ({ auth }) => ({ mailboxes: await readKnown(deps, auth) })),
  additionRoute(deps),
  removalRoute(deps),
  changeRoute(deps),
];
