import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { hasScope } from "../../core/api/apiScope.ts";
import type { Call } from "../../core/api/call.ts";
import { deleteCode, listMaskCodes } from "../../core/codes/codeEndpoints.ts";
import type { Failure } from "../../core/kernel/failure.ts";
import { startTask } from "../../core/kernel/task.ts";
import type { MailCode } from "../../core/mail/mailCode.ts";
import type { Mask } from "../../core/masks/mask.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { storedConnection } from "../connection/connection.ts";
import { callOf, listSiteMasks } from "./siteMask.ts";

/** What a content script gets for a field that waits for a code. */
export type CodeAnswer =
  | { readonly code: string; readonly sender: string }
  /** None has come yet; asking again goes on waiting. */
  | { readonly isWaiting: true }
  /** None will come for this site. */
  | Readonly<Record<string, never>>;

interface SiteCode extends MailCode {
  readonly code: string;
}

/** The time between two questions to the server. */
const askEachMs = 2_000;
/** The number of questions in one answer: a browser ends a background that works longer. */
const questions = 10;
/** The most masks of a site that are looked at. */
const maxMasks = 3;

/** A code as it can be typed: nothing else of a mail reaches a page. */
const typable = /^[\p{L}\p{N}-]{3,17}$/u;

/** The codes that a page was offered, by id: each is offered once. */
const offered = new Set<string>();
const maxOffered = 100;

const noCode: CodeAnswer = {};

/** The server lists no code that is over; the clock of this device may be wrong. */
const isOffer = (code: MailCode): code is SiteCode =>
  code.code !== undefined && typable.test(code.code) && !offered.has(code.id);

/** Lists the codes of a mask; null for one that the token may not read the codes of. */
const listCodes = (call: Call, { id }: Mask): TE.TaskEither<Failure, readonly MailCode[] | null> =>
  pipe(
    call(listMaskCodes)({ params: { id } }),
    TE.map(({ codes }): readonly MailCode[] | null => codes),
    TE.orElse((failure) =>
      failure.kind === "refused" && failure.status === 403 ? TE.right(null) : TE.left(failure),
    ),
  );

const wait = ({ clock }: Ports, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.scheduler.schedule(() => resolve(), ms);
  });

const newestFirst = (one: MailCode, other: MailCode): number =>
  Date.parse(other.receivedAt) - Date.parse(one.receivedAt);

/** The codes that were offered last, by the frame that has them: what is pressed there is used up. */
const offeredIn = new Map<string, SiteCode>();

const offer = (found: SiteCode, frame: string): CodeAnswer => {
  if (offered.size >= maxOffered) {
    offered.clear();
    offeredIn.clear();
  }
  offered.add(found.id);
  offeredIn.set(frame, found);
  return { code: found.code, sender: found.sender ?? "" };
};

/** Deletes the code that was offered in a frame, where the user has had it filled in. */
export const deleteUsedCode = (ports: Ports, frame: string): void => {
  const used = offeredIn.get(frame);
  const connection = storedConnection(ports.storage).read();
  if (used === undefined || connection === null) return;
  offeredIn.delete(frame);
  startTask(callOf(ports, connection)(deleteCode)({ params: { id: used.maskId, codeId: used.id } }));
};

/**
 * Waits for a code that arrives at a mask of the site of a host name, at most as long as a browser lets a background work. Codes
 * of other masks are not looked at. `frame` names who asks.
 */
export const codeForSite = async (ports: Ports, host: string, frame: string): Promise<CodeAnswer> => {
  const connection = storedConnection(ports.storage).read();
  if (connection === null || !hasScope(connection.scopes, "codes:read")) return noCode;
  const call = callOf(ports, connection);
  const masks = await listSiteMasks(call, host)();
  let readable = E.isLeft(masks) ? [] : masks.right.slice(0, maxMasks);
  for (let asked = 0; asked < questions && readable.length > 0; asked += 1) {
    if (asked > 0) await wait(ports, askEachMs);
    const lists = await TE.traverseArray((mask: Mask) => listCodes(call, mask))(readable)();
    if (E.isLeft(lists)) return noCode;
    const found = lists.right
      .flatMap((codes) => codes ?? [])
      .filter(isOffer)
      .toSorted(newestFirst)[0];
    if (found !== undefined) return offer(found, frame);
    readable = readable.filter((_, n) => lists.right[n] !== null);
  }
  return readable.length > 0 ? { isWaiting: true } : noCode;
};
