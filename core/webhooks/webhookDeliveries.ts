import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import {
  defer,
  EMPTY,
  exhaustMap,
  interval,
  lastValueFrom,
  map,
  type Observable,
  type Subscription,
  startWith,
  switchMap,
  take,
  takeWhile,
} from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import type { OwnedRequest } from "../kernel/collection.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { tapResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import { listWebhookDeliveries, type WebhookDelivery } from "./webhookEndpoints.ts";

/** The last deliveries of one webhook, newest first. */
export interface DeliveriesView {
  readonly webhookId: string;
  readonly deliveries: readonly WebhookDelivery[];
}

export interface WebhookDeliveriesDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly online$: State<boolean>;
  readonly tabs: { readonly visible$: State<boolean> };
  readonly request: OwnedRequest;
  /** Called when a message was followed to its outcome. */
  readonly onOutcome: () => void;
}

const toDeliveriesProblem = problemOf({ page: "Failed to load the deliveries" });

/** The interval at which the server is asked for an outcome, and how often at most: longer than a receiver may take. */
const outcomeEveryMs = 1_000;
const outcomeLooks = 15;

const watchEveryMs = 5_000;

/** True if an attempt has ended since a delivery was asked for. */
const hasOutcome = (asked: WebhookDelivery, now: WebhookDelivery): boolean =>
  now.state !== "waiting" || now.nextAttempt !== asked.nextAttempt;

/** Loads the deliveries of the webhook that is looked at, and follows those that were just asked for. */
export class WebhookDeliveries {
  readonly #deps: WebhookDeliveriesDeps;
  readonly #view$ = createState<DeliveriesView | null>(null);
  readonly #watched$ = createState<string | null>(null);
  /** Those of the watched webhook, else of the one that was asked for last; null until they are loaded. */
  readonly view$: State<DeliveriesView | null> = this.#view$;

  constructor(deps: WebhookDeliveriesDeps) {
    this.#deps = deps;
  }

  reset(): void {
    this.#view$.set(null);
  }

  load(id: string): TE.TaskEither<Problem, readonly WebhookDelivery[]> {
    const { request, call } = this.#deps;
    return pipe(
      request(
        toDeliveriesProblem,
        call(listWebhookDeliveries)({ params: { id }, silent: true }),
        ({ deliveries }) => {
          const watched = this.#watched$.value;
          if (watched === null || watched === id) this.#view$.set({ webhookId: id, deliveries });
        },
      ),
      TE.map(({ deliveries }) => deliveries),
    );
  }

  /** Follows a message that was just sent; returns how it stands when the outcome is known, or is not after a while. */
  follow(id: string, asked: WebhookDelivery): TE.TaskEither<Problem, WebhookDelivery> {
    return pipe(
      TE.fromTask<WebhookDelivery, Problem>(() =>
        lastValueFrom(this.#findOutcome(id, asked), { defaultValue: asked }),
      ),
      tapResult(this.#deps.onOutcome),
    );
  }

  /** Keeps the deliveries of a webhook up to date until the returned function is called. */
  readonly watch = (id: string): (() => void) => {
    if (this.#view$.value?.webhookId !== id) this.#view$.set(null);
    this.#watched$.set(id);
    return () => {
      if (this.#watched$.value === id) this.#watched$.set(null);
    };
  };

  start(): Subscription {
    const { clock, online$, tabs } = this.#deps;
    return combineState([this.#watched$, tabs.visible$, online$], (id, isVisible, isOnline) =>
      isVisible && isOnline ? id : null,
    )
      .pipe(
        switchMap((id) =>
          id === null
            ? EMPTY
            : interval(watchEveryMs, clock.scheduler).pipe(exhaustMap(() => defer(this.load(id)))),
        ),
      )
      .subscribe();
  }

  #findOutcome(id: string, asked: WebhookDelivery): Observable<WebhookDelivery> {
    return interval(outcomeEveryMs, this.#deps.clock.scheduler).pipe(
      startWith(null),
      take(outcomeLooks + 1),
      exhaustMap(() => defer(this.load(id))),
      map((looked) => (E.isRight(looked) && looked.right.find((one) => one.id === asked.id)) || asked),
      takeWhile((found) => !hasOutcome(asked, found), true),
    );
  }
}
