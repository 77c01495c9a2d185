import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import {
  combineLatest,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  from,
  interval,
  map,
  merge,
  Observable,
  of,
  Subscription,
  switchMap,
  timer,
} from "rxjs";
import type { Call } from "../api/call.ts";
import { createCopying } from "../api/copying.ts";
import type { Problem } from "../api/errorMessages.ts";
import { createState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import { CodeContent, MailCode } from "../mail/mailCode.ts";
import type { Mask } from "../masks/mask.ts";
import type { Clock } from "../ports/clock.ts";
import type { Keyring, KeyringRefusal } from "../ports/keyring.ts";
import type { Page } from "../ports/page.ts";
import type { Account } from "../session/user.ts";
import { codeLimits, deleteCode, listCodes } from "./codeEndpoints.ts";

/** A code of a mask as the page shows it. */
export interface ShownCode {
  readonly id: string;
  readonly maskId: string;
  /** In milliseconds since 1970, by the clock of this device. */
  readonly expiresAt: number;
  /** null for one that this device could not open. */
  readonly content: CodeContent | null;
  /** What could not be opened, and why. */
  readonly unopened?: { readonly sealed: string; readonly refusal: KeyringRefusal };
}

/** The one-time codes that arrive in mail, until they are used or expire. */
export interface Codes {
  /** Newest first; empty where no codes are shown. */
  readonly codes$: State<readonly ShownCode[]>;
  /** The id of the code that was copied a moment ago. */
  readonly copied$: State<string | null>;
  /** Copies a code, with a toast, and has the server forget it; this page shows it until it expires. */
  readonly copy: (code: ShownCode) => TE.TaskEither<Problem, void>;
}

/** A change on the server. */
interface ServerChange {
  readonly resource: string;
  readonly action: string;
  readonly resourceId?: string | undefined;
  readonly entity?: unknown;
}

export interface CodesDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
  readonly toast: ShowToast;
  readonly keyring: Pick<Keyring, "decrypt">;
  readonly owner: () => string | null;
  readonly account$: State<Account | null>;
  readonly masks: { readonly view$: Observable<{ readonly all: readonly Mask[] }> };
  readonly updates$: Observable<ServerChange>;
  readonly followTopic: (topic: { readonly resource: string }) => () => void;
}

/** True if codes in the mail of a mask are shown. */
const showsCodes = (account: Account | null, { settings }: Mask): boolean =>
  account?.settings?.showCodes === true || settings?.showCodes === true;

/** Names who sent a code, in a sentence, or says that nothing proves it. */
export const codeSource = ({ content }: ShownCode): string => {
  if (content?.unproven) return " (sender not proven)";
  return content === null || content.sender === "" ? "" : ` from ${content.sender}`;
};

const parseContent = (text: string | null | undefined): CodeContent | null => {
  const parsed = E.tryCatch(
    () => JSON.parse(text ?? "null") as unknown,
    () => null,
  );
  return E.isRight(parsed) && CodeContent.is(parsed.right) ? parsed.right : null;
};

/** Opens what is sealed with the keys of this device. */
const createOpenCodes = ({ keyring, owner }: Pick<CodesDeps, "keyring" | "owner">) => {
  const open = (code: ShownCode, text: string | null | undefined, refusal: KeyringRefusal): ShownCode => {
    const { unopened, ...known } = code;
    const content = parseContent(text);
    if (unopened === undefined) return code;
    return content === null ? { ...code, unopened: { ...unopened, refusal } } : { ...known, content };
  };
  return (codes: readonly ShownCode[]): T.Task<readonly ShownCode[]> => {
    const sealed = codes.flatMap(({ unopened }) => unopened?.sealed ?? []);
    if (sealed.length === 0) return T.of(codes);
    return pipe(
      keyring.decrypt(owner() ?? "", sealed),
      TE.match(
        (refusal) => codes.map((code) => open(code, null, refusal)),
        (texts) => {
          const opened = new Map(sealed.map((message, n) => [message, texts[n]]));
          return codes.map((code) => open(code, opened.get(code.unopened?.sealed ?? ""), "no-such-key"));
        },
      ),
    );
  };
};

/** Returns the codes of one list that none of the other has. */
const without = (codes: readonly ShownCode[], others: readonly ShownCode[]): readonly ShownCode[] => {
  const ids = new Set(others.map(({ id }) => id));
  return codes.filter(({ id }) => !ids.has(id));
};

/** Returns the newest codes, as many of a mask and of all as the server keeps. */
const newestOf = (codes: readonly ShownCode[]): readonly ShownCode[] => {
  const counts = new Map<string, number>();
  return codes
    .toSorted((one, other) => other.expiresAt - one.expiresAt)
    .filter(({ maskId }) => {
      const count = (counts.get(maskId) ?? 0) + 1;
      counts.set(maskId, count);
      return count <= codeLimits.perMask;
    })
    .slice(0, codeLimits.perAccount);
};

/**
 * The time after which the socket usually says what arrives, in milliseconds. What has arrived until then is asked for: somebody
 * waits for it.
 */
const followedWithinMs = 2_500;

/** Opening is tried again after this time, in milliseconds: a key may have come to this device, or what opens with it be loaded. */
const openedAgainMs = 5_000;

/** Creates the codes, which are loaded only while the account or a mask shows them. */
export const createCodes = (deps: CodesDeps): Codes & { readonly start: () => Subscription } => {
  const { call, clock, toast, account$, masks, updates$ } = deps;
  const codes$ = createState<readonly ShownCode[]>([]);
  const open = createOpenCodes(deps);
  const copying = createCopying<string>(deps);
  /** The codes that were used here: the server has forgotten them, and this page still shows them. */
  const used = new Set<string>();
  /** The codes that are announced once they can be opened. */
  const unannounced = new Set<string>();

  const isCurrent = ({ expiresAt }: ShownCode): boolean => expiresAt > clock.now();
  const show = (codes: readonly ShownCode[]): void => {
    codes$.set(newestOf(codes.filter(isCurrent)));
    const opened = codes$.value.filter(({ id, content }) => content !== null && unannounced.has(id));
    const unopened = codes$.value.filter(({ content }) => content === null);
    for (const id of unannounced) if (!unopened.some((code) => code.id === id)) unannounced.delete(id);
    for (const code of opened) announce(code);
  };
  /** The clock of this device may be wrong: what has just arrived has all its time, and nothing has more. */
  const expiryOf = (code: MailCode, isNew: boolean): number => {
    const lifetime = Date.parse(code.expiresAt) - Date.parse(code.receivedAt);
    const left = Date.parse(code.expiresAt) - clock.now();
    return clock.now() + (isNew || left <= 0 ? lifetime : Math.min(left, lifetime));
  };
  const toShown = (mailCode: MailCode, isNew: boolean): ShownCode => {
    const { id, maskId, sealed, sender = "", code, link, unproven } = mailCode;
    const known = codes$.value.find((shown) => shown.id === id);
    const place = { id, maskId, expiresAt: known?.expiresAt ?? expiryOf(mailCode, isNew) };
    if (sealed !== undefined)
      return { ...place, content: null, unopened: { sealed, refusal: "no-such-key" } };
    const clear = { sender, ...(code && { code }), ...(link && { link }), ...(unproven && { unproven }) };
    return { ...place, content: clear };
  };
  const forget = ({ id, maskId }: ShownCode): void =>
    startTask(call(deleteCode)({ params: { id: maskId, codeId: id } }));
  const copy = (shown: ShownCode): TE.TaskEither<Problem, void> =>
    pipe(
      copying.copy(shown.content?.code ?? "", shown.id, "Code copied"),
      TE.tapIO(() => () => {
        used.add(shown.id);
        forget(shown);
      }),
    );
  /** A flood of mail to a mask is announced as often as the server keeps its codes. */
  const mayAnnounce = ({ maskId }: ShownCode): boolean =>
    codes$.value.filter((code) => code.maskId === maskId && !used.has(code.id)).length < codeLimits.perMask;
  const announce = (shown: ShownCode): void => {
    if (shown.content === null) unannounced.add(shown.id);
    else if (shown.content.code !== undefined)
      toast("info", `Code${codeSource(shown)}: ${shown.content.code}`, {
        label: "Copy",
        run: () => startTask(copy(shown)),
      });
  };
  const has = ({ id }: ShownCode): boolean => codes$.value.some((one) => one.id === id);
  const loadAnd = (isNew: (code: ShownCode) => boolean): T.Task<void> =>
    pipe(
      call(listCodes)(),
      TE.chainTaskK(({ codes }) => open(codes.map((code) => toShown(code, false)))),
      TE.match(
        () => undefined,
        (loaded) => {
          const arrived = loaded.filter((code) => isNew(code) && !has(code));
          const usedHere = codes$.value.filter(({ id }) => used.has(id));
          const announced = arrived.filter(mayAnnounce);
          show([...loaded, ...without(usedHere, loaded)]);
          // The server was not told, as without a network.
          for (const code of loaded) if (used.has(code.id)) forget(code);
          for (const code of announced) announce(code);
        },
      ),
    );
  /** What is there already when the page opens has arrived before. */
  const load = loadAnd(() => false);
  const loadMissed = loadAnd(() => true);
  const add = (code: MailCode): T.Task<void> =>
    pipe(
      open([toShown(code, true)]),
      T.chainIOK(([shown]) => () => {
        if (!shown || has(shown)) return;
        const isAnnounced = mayAnnounce(shown);
        show([shown, ...codes$.value]);
        if (isAnnounced) announce(shown);
      }),
    );
  const openAgain: T.Task<void> = pipe(
    T.fromIO(() => codes$.value.filter((code) => code.unopened !== undefined)),
    T.chain(open),
    T.chainIOK((opened) => () => {
      show(codes$.value.map((code) => opened.find(({ id }) => id === code.id) ?? code));
    }),
  );
  const follow = ({ resource, action, resourceId, entity }: ServerChange): T.Task<void> => {
    if (action === "resumed" || action === "connected") return loadMissed;
    if (resource !== "codes") return T.of(undefined);
    if (action === "deleted")
      return T.fromIO(() => show(codes$.value.filter(({ id }) => id !== resourceId || used.has(id))));
    return MailCode.is(entity) ? add(entity) : loadMissed;
  };
  const followed$ = new Observable<T.Task<void>>((subscriber) => {
    const later$ = timer(followedWithinMs, clock.scheduler).pipe(map(() => loadMissed));
    const following = merge(of(load), later$, updates$.pipe(map(follow))).subscribe(subscriber);
    following.add(deps.followTopic({ resource: "codes" }));
    return following;
  });
  const isShown$ = combineLatest([account$, masks.view$]).pipe(
    map(([account, { all }]) => all.some((mask) => showsCodes(account, mask))),
    distinctUntilChanged(),
  );
  const opening$ = codes$.pipe(
    map((codes) => codes.some((code) => code.unopened !== undefined)),
    distinctUntilChanged(),
    switchMap((isAny) => (isAny ? interval(openedAgainMs, clock.scheduler) : EMPTY)),
    exhaustMap(() => defer(() => from(openAgain()))),
  );
  const expiry$ = codes$.pipe(
    filter((codes) => codes.length > 0),
    switchMap((codes) => {
      const next = Math.min(...codes.map(({ expiresAt }) => expiresAt));
      return timer(Math.max(0, next - clock.now()), clock.scheduler);
    }),
  );
  return {
    codes$,
    copied$: copying.copied$,
    copy,
    start: () => {
      const running = new Subscription();
      running.add(
        isShown$
          .pipe(
            switchMap((isShown) => {
              if (!isShown) codes$.set([]);
              return isShown ? followed$ : EMPTY;
            }),
            concatMap((task) => defer(() => from(task()))),
          )
          .subscribe(),
      );
      running.add(opening$.subscribe());
      running.add(expiry$.subscribe(() => show(codes$.value)));
      return running;
    },
  };
};
