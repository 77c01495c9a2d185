import * as E from "fp-ts/lib/Either.js";
import { EMPTY, filter, from, map, type Observable, of, type Subscription, switchMap } from "rxjs";
import type { flagsOf } from "./contract/flags.ts";
import { type FetchPart, makeLate } from "./kernel/late.ts";
import { mapState } from "./kernel/state.ts";
import { loadLive, loadMasks } from "./lateParts.ts";
import type { LiveNeeds } from "./live.ts";
import { makeLateMasks } from "./masks/lateMasks.ts";
import type { Masks, MasksNeeds } from "./masks/masks.ts";
import { makeNotifications, type Notifications } from "./notifications/notifications.ts";
import type { Ports } from "./ports/ports.ts";
import type { Link } from "./realtime/link.ts";
import { notConnected } from "./realtime/linkErrors.ts";
import type { DataUpdate } from "./realtime/messages.ts";
import { makeRealtime, type Realtime } from "./realtime/realtime.ts";

/** What they stand on. */
export interface SignedInNeeds
  extends Ports,
    Omit<LiveNeeds, "wanted$" | keyof Ports>,
    Pick<MasksNeeds, "store" | "mayChoosePrefix$"> {
  readonly fetchPart: FetchPart;
  readonly flags: ReturnType<typeof flagsOf>;
}

/** What everybody who is signed in meets at once. */
export interface SignedInParts {
  readonly masks: Masks;
  readonly realtime: Realtime;
  readonly notifications: Notifications;
  /** What has changed on the server, as far as the socket tells. */
  readonly updates$: Observable<DataUpdate>;
  /** Says something over the socket and waits for its answer; fails at once when there is no connection. */
  readonly request: Link["request"];
  readonly started: readonly { readonly start: () => Subscription }[];
}

/** Makes the connection to the server and the masks, whose code is fetched at sign-in. */
export const makeSignedInParts = (needs: SignedInNeeds): SignedInParts => {
  const { clock, connectivity, flags, user$ } = needs;
  const { online$ } = connectivity;
  const wish = {
    wanted$: user$.pipe(map((user) => user !== null)),
    /** With a network what could not be fetched is fetched at once. */
    again$: online$.pipe(filter((online) => online)),
    scheduler: clock.scheduler,
  };
  const fetchLive = needs.fetchPart(loadLive);
  const live = makeLate({
    ...wish,
    fetch: fetchLive,
    make: ({ makeLive }) =>
      makeLive({
        ...needs,
        /** Another user gets another connection. */
        wanted$: user$.pipe(
          switchMap((user) => (user && flags.websockets ? from([false, true]) : of(false))),
        ),
      }),
  });
  const realtime = makeRealtime({
    late$: live.state$,
    fetchAgain: live.retry,
    isAllowed: flags.websockets,
    clock,
  });
  const updates$ = live.state$.pipe(switchMap((late) => (late.kind === "here" ? late.part.updates$ : EMPTY)));
  const fetchMasks = needs.fetchPart(loadMasks);
  const lateMasks = makeLate({
    ...wish,
    fetch: fetchMasks,
    make: ({ makeMasks }) => makeMasks({ ...needs, online$, updates$ }),
  });
  return {
    masks: makeLateMasks(lateMasks),
    realtime,
    notifications: makeNotifications(
      mapState(live.state$, (late) => (late.kind === "here" ? late.part.inbox : null)),
    ),
    updates$,
    request: (said, isAnswer) => () => {
      const late = live.state$.value;
      return late.kind === "here"
        ? late.part.link.request(said, isAnswer)()
        : Promise.resolve(E.left(notConnected));
    },
    started: [live, realtime, lateMasks],
  };
};
