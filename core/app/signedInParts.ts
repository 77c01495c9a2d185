import * as E from "fp-ts/lib/Either.js";
import { EMPTY, filter, from, map, type Observable, of, type Subscription, switchMap } from "rxjs";
import type { flagsOf } from "../api/configuration.ts";
import { createLate, type FetchPart } from "../kernel/late.ts";
import { mapState } from "../kernel/state.ts";
import { createLateMasks } from "../masks/lateMasks.ts";
import type { Masks, MasksDeps } from "../masks/masks.ts";
import { createNotifications, type Notifications } from "../notifications/notifications.ts";
import type { Ports } from "../ports/ports.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import { createRealtime, type Realtime } from "../realtime/realtime.ts";
import type { SocketClient } from "../realtime/socketClient.ts";
import { notConnected } from "../realtime/socketErrors.ts";
import { loadLive, loadMasks } from "./lateParts.ts";
import type { LiveDeps } from "./live.ts";

/** What the parts are created with. */
export interface SignedInDeps
  extends Ports,
    Omit<LiveDeps, "wanted$" | keyof Ports>,
    Pick<MasksDeps, "store" | "mayChoosePrefix$"> {
  readonly fetchPart: FetchPart;
  readonly flags: ReturnType<typeof flagsOf>;
}

/** The parts that every signed-in user needs immediately. */
export interface SignedInParts {
  readonly masks: Masks;
  readonly realtime: Realtime;
  readonly notifications: Notifications;
  /** Emits the changes on the server that arrive over the socket. */
  readonly updates$: Observable<DataUpdate>;
  /** Sends a message over the socket and waits for its reply; fails immediately without a connection. */
  readonly request: SocketClient["request"];
  readonly started: readonly { readonly start: () => Subscription }[];
}

/** Creates the connection to the server and the masks; their code is loaded at sign-in. */
export const createSignedInParts = (deps: SignedInDeps): SignedInParts => {
  const { clock, connectivity, flags, user$ } = deps;
  const { online$ } = connectivity;
  const wish = {
    wanted$: user$.pipe(map((user) => user !== null)),
    /** Retries a failed load as soon as the device is online. */
    again$: online$.pipe(filter((online) => online)),
    scheduler: clock.scheduler,
  };
  const fetchLive = deps.fetchPart(loadLive);
  const live = createLate({
    ...wish,
    fetch: fetchLive,
    make: ({ createLive }) =>
      createLive({
        ...deps,
        /** Reconnects when the user changes. */
        wanted$: user$.pipe(
          switchMap((user) => (user && flags.websockets ? from([false, true]) : of(false))),
        ),
      }),
  });
  const realtime = createRealtime({
    late$: live.state$,
    retryLoading: live.retry,
    isAllowed: flags.websockets,
    clock,
  });
  const updates$ = live.state$.pipe(switchMap((late) => (late.kind === "here" ? late.part.updates$ : EMPTY)));
  const fetchMasks = deps.fetchPart(loadMasks);
  const lateMasks = createLate({
    ...wish,
    fetch: fetchMasks,
    make: ({ createMasks }) => createMasks({ ...deps, online$, updates$ }),
  });
  return {
    masks: createLateMasks(lateMasks),
    realtime,
    notifications: createNotifications(
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
