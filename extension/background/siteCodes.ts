import * as E from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  endWith,
  filter,
  finalize,
  firstValueFrom,
  from,
  map,
  type Observable,
  of,
  ReplaySubject,
  scan,
  share,
  switchMap,
  timeout,
  timer,
} from "rxjs";
import { hasScope } from "../../core/api/apiScope.ts";
import type { Call } from "../../core/api/call.ts";
import { codeLimits, deleteCode, listCodes } from "../../core/codes/codeEndpoints.ts";
import type { Failure } from "../../core/kernel/failure.ts";
import { startTask } from "../../core/kernel/task.ts";
import type { MailCode } from "../../core/mail/mailCode.ts";
import type { StreamedMessage } from "../../core/realtime/eventStream.ts";
import { type FollowedEvent, followEvents } from "../../core/realtime/followEvents.ts";
import { type Connection, type ExtensionPorts, storedConnection } from "../connection/connection.ts";
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

/** The time within which a page is answered: a browser ends a background that works longer at one thing. */
const answerWithinMs = 20_000;
/** The time for which the server is listened to after an answer: a page that goes on waiting asks again at once. */
const lingerMs = 5_000;

/** A code as it can be typed: nothing else of a mail reaches a page. */
const typable = /^[\p{L}\p{N}-]{3,17}$/u;

const maxOffered = 100;

const noCode: CodeAnswer = {};
const waiting: CodeAnswer = { isWaiting: true };

type Codes = readonly MailCode[];
type Change = (known: Codes) => Codes;

/** Emits the result of a task that succeeds; fails with its failure. */
const resultOf = <A>(task: TaskEither<Failure, A>): Observable<A> =>
  defer(() => from(task())).pipe(
    map((result) => {
      if (E.isLeft(result)) throw result.left;
      return result.right;
    }),
  );

const listAnew = (call: Call): Observable<Change> =>
  resultOf(call(listCodes)()).pipe(
    map(
      ({ codes }): Change =>
        () =>
          codes,
    ),
  );

/** Emits how a message of the server changes the codes; nothing for one that has nothing to do with them. */
const changeBy = (call: Call, message: StreamedMessage): Observable<Change> => {
  if (message.type === "reset") return listAnew(call);
  if (message.type === "code") return of((known) => [message.data, ...known].slice(0, codeLimits.perAccount));
  if (message.type !== "data_update" || message.data.resource !== "codes") return EMPTY;
  const { resourceId } = message.data;
  return of((known) => known.filter(({ id }) => id !== resourceId));
};

const changeOf = (call: Call, event: FollowedEvent): Observable<Change> => {
  switch (event.kind) {
    case "began":
      return listAnew(call);
    case "message":
      return changeBy(call, event.message);
    case "lost":
      return EMPTY;
    case "refused":
      throw new Error(`the server tells no changes: ${event.status}`);
  }
};

/**
 * Emits the codes of the masks of a site, newest first, whenever they change. Completes for a site without a mask; fails where the
 * server gives no codes.
 */
const followSite = (ports: ExtensionPorts, connection: Connection, host: string): Observable<Codes> => {
  const call = callOf(ports, connection);
  return resultOf(listSiteMasks(call, host)).pipe(
    switchMap((masks) => {
      const ids = masks.map(({ id }) => id);
      return ids.length === 0
        ? EMPTY
        : followEvents(ports, connection).pipe(
            concatMap((event) => changeOf(call, event)),
            scan((known, change) => change(known), [] as Codes),
            map((known) => known.filter(({ maskId }) => ids.includes(maskId))),
          );
    }),
  );
};

/** The codes that arrive for the sites of pages. */
export interface SiteCodes {
  /**
   * Waits for a code that arrives at a mask of the site of a host name, at most as long as a browser lets a background work. A
   * code of another mask never gets there. `frame` names who asks.
   */
  readonly next: (ports: ExtensionPorts, host: string, frame: string) => Promise<CodeAnswer>;
  /** Deletes the code that was offered in a frame, where the user has had it filled in. */
  readonly deleteUsed: (ports: ExtensionPorts, frame: string) => void;
}

export const createSiteCodes = (): SiteCodes => {
  /** What is listened to, by server and site: the fields of a site share it. */
  const followed = new Map<string, Observable<Codes>>();
  /** The codes that a page was offered, by id: each is offered once. */
  const offered = new Set<string>();
  /** The codes that were offered last, by the frame that has them: what is pressed there is used up. */
  const offeredIn = new Map<string, SiteCode>();

  const follow = (ports: ExtensionPorts, connection: Connection, host: string): Observable<Codes> => {
    const key = `${connection.token} ${host}`;
    const known = followed.get(key);
    if (known !== undefined) return known;
    const codes$ = followSite(ports, connection, host).pipe(
      finalize(() => followed.delete(key)),
      share({
        connector: () => new ReplaySubject(1),
        resetOnRefCountZero: () => timer(lingerMs, ports.clock.scheduler),
      }),
    );
    followed.set(key, codes$);
    return codes$;
  };

  /** The server lists no code that is over; the clock of this device may be wrong. */
  const isOffer = (code: MailCode): code is SiteCode =>
    code.code !== undefined && typable.test(code.code) && !offered.has(code.id);

  const offer = (codes: Codes, frame: string): CodeAnswer | undefined => {
    const found = codes.find(isOffer);
    if (found === undefined) return undefined;
    if (offered.size >= maxOffered) {
      offered.clear();
      offeredIn.clear();
    }
    offered.add(found.id);
    offeredIn.set(frame, found);
    return { code: found.code, sender: found.sender ?? "" };
  };

  return {
    next: async (ports, host, frame) => {
      const connection = storedConnection(ports.storage).read();
      if (connection === null || !hasScope(connection.scopes, "codes:read")) return noCode;
      return firstValueFrom(
        follow(ports, connection, host).pipe(
          map((codes) => offer(codes, frame)),
          filter((answer) => answer !== undefined),
          endWith(noCode),
          timeout({ first: answerWithinMs, with: () => of(waiting), scheduler: ports.clock.scheduler }),
          catchError(() => of(noCode)),
        ),
      );
    },
    deleteUsed: (ports, frame) => {
      const used = offeredIn.get(frame);
      const connection = storedConnection(ports.storage).read();
      if (used === undefined || connection === null) return;
      offeredIn.delete(frame);
      startTask(callOf(ports, connection)(deleteCode)({ params: { id: used.maskId, codeId: used.id } }));
    },
  };
};
