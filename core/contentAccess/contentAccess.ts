import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, Subscription } from "rxjs";
import type { Account } from "../account/accountDetails.ts";
import type { User } from "../account/user.ts";
import { invalid } from "../kernel/failure.ts";
import { combineState, makeState, type State } from "../kernel/state.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { ShowToast } from "../toasts/toast.ts";
import { type ContentAccessAnswer, mayAccessContent } from "./access.ts";
import type { AiFeature } from "./aiFeature.ts";
import { putContentAccess, putPreferences } from "./contentAccessEndpoints.ts";
import * as sentences from "./contentAccessSentences.ts";
import { type ContentAccessView, isOn } from "./contentAccessView.ts";
import { type KnownAccessNeeds, makeKnownAccess } from "./knownAccess.ts";
import { makeSetFeature } from "./setFeature.ts";

/** Whether the server may look at what mail says, and what for (SG3–SG5). */
export interface ContentAccess {
  readonly view$: State<ContentAccessView>;
  /** Asks the server; what was kept is shown when it cannot be reached. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Switching on needs the acknowledgement of the privacy notice; without it nothing is sent. */
  readonly setEnabled: (isEnabled: boolean, isAcknowledged: boolean) => TE.TaskEither<Problem, void>;
  /** Shown at once, and taken back when the server says no. */
  readonly setFeature: (feature: AiFeature, isWanted: boolean) => TE.TaskEither<Problem, void>;
}

export interface ContentAccessNeeds extends KnownAccessNeeds {
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly account: {
    readonly account$: State<Account | null>;
    readonly refresh: () => TE.TaskEither<Problem, void>;
  };
}

const none: ReadonlySet<AiFeature> = new Set();

const refuse = (sentence: string): TE.TaskEither<Problem, never> =>
  TE.left({ sentence, fields: [], failure: invalid([]) });

export const makeContentAccess = (
  needs: ContentAccessNeeds,
): ContentAccess & { readonly start: () => Subscription } => {
  const { call, toast, owner, account } = needs;
  const access = makeKnownAccess(needs);
  const { known$ } = access;
  const pending$ = makeState(none);

  const setEnabled: ContentAccess["setEnabled"] = (isEnabled, isAcknowledged) => {
    if (isEnabled && !isAcknowledged) return refuse(sentences.notAcknowledged);
    if (known$.value.origin === "fallback") return refuse(sentences.notKnown);
    return () => {
      const isLast = access.change();
      const saved = (answer: ContentAccessAnswer): void => {
        if (!isLast()) return;
        access.accessSaved(answer);
        toast("success", sentences.settingsUpdated);
        void account.refresh()();
      };
      return pipe(
        call(putContentAccess)({
          body: { contentAccessEnabled: isEnabled, ...(isEnabled ? { acknowledgment: isAcknowledged } : {}) },
          quiet: true,
        }),
        TE.map(saved),
        TE.mapLeft((failure) => problemOf(sentences.failing.saveAccess(failure))(failure)),
        TE.chainFirst(() =>
          TE.fromTask(() =>
            access
              .refreshPreferences()()
              .then(() => undefined),
          ),
        ),
      )();
    };
  };

  const switchFeature = makeSetFeature({
    send: (features) => call(putPreferences)({ body: { preferences: { features } }, quiet: true }),
    show: access.showFeature,
    settle: access.preferencesSaved,
    pending$,
    owner,
    toast,
  });
  const setFeature: ContentAccess["setFeature"] = (feature, isWanted) => {
    if (!isOn(known$.value)) return refuse(sentences.accessNeededToUpdate);
    return () => {
      access.change();
      return switchFeature(feature, isWanted)();
    };
  };

  const concerns = ({ resource }: DataUpdate): boolean =>
    ["content-access", "preferences", "account"].includes(resource);
  return {
    view$: combineState([known$, pending$, account.account$], (known, pending, details) => ({
      ...known,
      pending,
      isEligible:
        (known.origin === "fallback" ? undefined : known.access?.contentAccessEligible) ??
        (details === null ? null : mayAccessContent(details.subscription.tier)),
    })),
    refresh: access.refresh,
    setEnabled,
    setFeature,
    start: () => {
      const running = new Subscription();
      running.add(
        needs.user$.subscribe(() => {
          pending$.set(none);
          access.recall();
        }),
      );
      running.add(
        needs.updates$
          .pipe(filter((update) => known$.value.access !== null && concerns(update)))
          .subscribe(() => void access.refresh()()),
      );
      return running;
    },
  };
};
