import * as E from "fp-ts/lib/Either.js";
import type { Problem } from "../core/api/errorMessages.ts";
import { localPartOf } from "../core/mail/emailAddress.ts";
import { isActive, type Mask, plainFieldsOf, statisticsOf } from "../core/masks/mask.ts";
import { lastMailAtOf } from "../core/masks/maskListSettings.ts";
import { exits, Stop, stopFor, usageError } from "./exits.ts";
import type { Connection } from "./login/connect.ts";
import type { Output } from "./output/output.ts";

/** Runs a use case of the core; a problem ends the program. */
export const run = async <A>(task: () => Promise<E.Either<Problem, A>>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) throw stopFor(result.left);
  return result.right;
};

/** Loads the masks; without a network, those that were seen last. */
export const loadMasks = async ({ signedIn }: Connection, output: Output): Promise<readonly Mask[]> => {
  const loaded = await signedIn.masks.refresh()();
  const { all, status } = signedIn.masks.view$.value;
  if (E.isRight(loaded)) return all;
  if (status !== "stale" || loaded.left.failure.kind === "refused") throw stopFor(loaded.left);
  output.note("The server cannot be reached. These are the masks as they were seen last.");
  return all;
};

const fits = (name: string): readonly ((mask: Mask) => boolean)[] => {
  const wanted = name.toLowerCase();
  return [
    ({ maskEmail, id }) => maskEmail.toLowerCase() === wanted || id.toLowerCase() === wanted,
    ({ maskEmail }) => localPartOf(maskEmail).toLowerCase() === wanted,
    ({ id }) => id.toLowerCase().startsWith(wanted),
  ];
};

/** Finds the mask with this address, local part or beginning of an id. */
export const findMask = <M extends Mask>(masks: readonly M[], name: string): M => {
  for (const isNamed of fits(name)) {
    const found = masks.filter(isNamed);
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    if (found.length > 1)
      throw usageError(
        [`"${name}" fits several masks:`, ...found.map(({ maskEmail, id }) => `  ${maskEmail}  ${id}`)].join(
          "\n",
        ),
      );
  }
  throw new Stop(exits.notFound, `There is no mask "${name}".`);
};

const time = (ms: number): string | null => (ms > 0 ? new Date(ms).toISOString() : null);

/** A mask as `--json` prints it. */
export const maskJson = (mask: Mask) => {
  const { labels, note, pinned, description, madeFor } = plainFieldsOf(mask);
  const { totalReceived, totalForwarded, spamBlocked, totalSent } = statisticsOf(mask);
  return {
    id: mask.id,
    address: mask.maskEmail,
    description,
    madeFor,
    active: isActive(mask),
    forwardTo: mask.forwardTo,
    destinations: mask.destinations ?? [mask.forwardTo],
    awaitsConfirmation: mask.destinationStatus === "awaiting-confirmation",
    labels,
    note,
    pinned,
    created: mask.created ?? null,
    lastMailAt: time(lastMailAtOf(mask)),
    received: totalReceived,
    forwarded: totalForwarded,
    blocked: spamBlocked,
    sent: totalSent,
    rules: mask.settings?.rules?.length ?? 0,
  };
};

/** Says how many masks there are, as in "1 mask". */
export const countMasks = (count: number): string => (count === 1 ? "1 mask" : `${count} masks`);
