import { NEVER, of, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Copying, createCopying } from "../api/copying.ts";
import { combineState, type State } from "../kernel/state.ts";
import { createMasks, type MaskPlan, type Masks } from "../masks/masks.ts";
import { createWaitingMasks, type WaitingMasks } from "../masks/waitingMasks.ts";
import type { Ports } from "../ports/ports.ts";
import type { SessionState } from "../session/session.ts";
import { createStore } from "../storage/store.ts";
import { limitsOf } from "../tiers/tier.ts";
import { createTheme } from "./theme.ts";
import { createToasts, type Toasts } from "./toastsAndBanner.ts";
import { createTokenCredentials, type TokenCredentials } from "./tokenCredentials.ts";

interface TokenAppOptions extends TokenCredentials {
  /** The server's address, as in "https://mail.example.org". */
  readonly baseAddress: string;
  /** The time that a request may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** The masks of a user for a small shell that has an API token: without a sign-in, a socket, notifications and an account. */
export interface TokenApp {
  readonly call: Call;
  readonly toasts: Toasts;
  /** "signed-out" once the server has refused the token. */
  readonly session$: State<SessionState>;
  readonly masks: Masks;
  /** Creates masks also without a network. */
  readonly waitingMasks: WaitingMasks;
  /** Copies texts with a toast. */
  readonly copying: Copying<string>;
  /** Starts all parts. The returned function stops them. */
  readonly start: () => () => void;
}

/** Creates the app of an API token from its ports. Nothing runs until `start()`. */
export const createTokenApp = (ports: Ports, options: TokenAppOptions): TokenApp => {
  const { clock, page, connectivity } = ports;
  const { baseAddress, timeoutMs, user } = options;
  const store = createStore(ports.storage);
  const toasts = createToasts(clock);
  const theme = createTheme(page, store);
  const { httpClients, session, owner, user$ } = createTokenCredentials(options)({
    ports,
    store,
    showToastOnce: toasts.showOnce,
    isOfflineShown: () => false,
    isTraced: false,
    baseAddress,
    timeoutMs,
    userDataInTab: undefined,
    later$: NEVER,
  });
  const { call, forgetPendingGets } = httpClients;
  const { tier } = user.subscription;
  const shared = { ...ports, call, store, owner, user$, online$: connectivity.online$, toast: toasts.show };
  const masks = createMasks({
    ...shared,
    updates$: NEVER,
    versions$: NEVER,
    forgetPendingGets,
    plan$: combineState([session.state$], (): MaskPlan => ({ tier, maxMasks: limitsOf[tier].masks })),
    afterPaint: () => of(null),
  });
  const waitingMasks = createWaitingMasks({ ...shared, masks });
  return {
    call,
    toasts,
    session$: session.state$,
    masks,
    waitingMasks,
    copying: createCopying({ page, clock, toast: toasts.show }),
    start: () => {
      const running = new Subscription();
      for (const part of [theme, toasts, masks, waitingMasks]) running.add(part.start());
      return () => running.unsubscribe();
    },
  };
};
