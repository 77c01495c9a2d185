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
  filter,
  from,
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
import type { Keyring } from "../ports/keyring.ts";
import type { Page } from "../ports/page.ts";
import type { Account } from "../session/user.ts";
import { deleteCode, listCodes } from "./codeEndpoints.ts";

/** A code of a mask as the page shows it. */
export interface ShownCode {
  readonly id: string;
  readonly maskId: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  /** null for one whose key is not on this device. */
  readonly content: CodeContent | null;
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

/** Reads codes as the server answers them, with the keys of this device. */
const createReadCodes = ({ keyring, owner }: Pick<CodesDeps, "keyring" | "owner">) => {
  const decrypt = (sealed: readonly string[]): T.Task<readonly (string | null)[]> =>
    sealed.length === 0
      ? T.of([])
      : pipe(
          keyring.decrypt(owner() ?? "", sealed),
          TE.getOrElse(() => T.of<readonly (string | null)[]>([])),
        );
  return (codes: readonly MailCode[]): T.Task<readonly ShownCode[]> =>
    pipe(
      decrypt(codes.flatMap(({ sealed }) => sealed ?? [])),
      T.map((texts) => {
        let next = 0;
        return codes.map(({ id, maskId, expiresAt, sealed, sender = "", code, link, unproven }) => {
          const clear = {
            sender,
            ...(code && { code }),
            ...(link && { link }),
            ...(unproven && { unproven }),
          };
          const content = sealed === undefined ? clear : parseContent(texts[next++]);
          return { id, maskId, expiresAt: Date.parse(expiresAt), content };
        });
      }),
    );
};

/**
 * The time after which the socket usually says what arrives, in milliseconds. What has arrived until then is asked for: somebody
 * waits for it.
 */
const followedWithinMs = 2_500;

/** Creates the codes, which are loaded only while the account or a mask shows them. */
export const createCodes = (deps: CodesDeps): Codes & { readonly start: () => Subscription } => {
  const { call, clock, toast, account$, masks, updates$ } = deps;
  const codes$ = createState<readonly ShownCode[]>([]);
  const read = createReadCodes(deps);
  const copying = createCopying<string>(deps);
  /** The codes that were used here: the server has forgotten them, and this page still shows them. */
  const used = new Set<string>();

  const isCurrent = ({ expiresAt }: ShownCode): boolean => expiresAt > clock.now();
  const show = (codes: readonly ShownCode[]): void => codes$.set(codes.filter(isCurrent));
  const copy = (shown: ShownCode): TE.TaskEither<Problem, void> => {
    const { id, maskId, content } = shown;
    return pipe(
      copying.copy(content?.code ?? "", id, "Code copied"),
      TE.tapIO(() => () => {
        used.add(id);
        startTask(call(deleteCode)({ params: { id: maskId, codeId: id } }));
      }),
    );
  };
  const announce = (shown: ShownCode): void => {
    if (shown.content?.code !== undefined)
      toast("info", `Code${codeSource(shown)}: ${shown.content.code}`, {
        label: "Copy",
        run: () => startTask(copy(shown)),
      });
  };
  const has = ({ id }: ShownCode): boolean => codes$.value.some((one) => one.id === id);
  const loadAnd = (isNew: (code: ShownCode) => boolean): T.Task<void> =>
    pipe(
      call(listCodes)(),
      TE.chainTaskK(({ codes }) => read(codes)),
      TE.match(
        () => undefined,
        (loaded) => {
          const arrived = loaded.filter((code) => isNew(code) && !has(code));
          show([...loaded, ...codes$.value.filter(({ id }) => used.has(id))]);
          for (const code of arrived) announce(code);
        },
      ),
    );
  /** What is there already when the page opens has arrived before. */
  const load = loadAnd(() => false);
  const loadMissed = loadAnd(() => true);
  const add = (code: MailCode): T.Task<void> =>
    pipe(
      read([code]),
      T.chainIOK(([shown]) => () => {
        if (!shown || has(shown)) return;
        show([shown, ...codes$.value]);
        announce(shown);
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
      running.add(expiry$.subscribe(() => show(codes$.value)));
      return running;
    },
  };
};
