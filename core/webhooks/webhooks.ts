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
import { createCopying } from "../api/copying.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { failedBackOnline } from "../kernel/backOnline.ts";
import { orGone } from "../kernel/failure.ts";
import { createOwnedRequest } from "../kernel/ownedRequest.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { combineState, createState, type State } from "../kernel/state.ts";
import { startTask, tapResult } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import {
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  type NewWebhook,
  patchWebhook,
  postWebhook,
  postWebhookDelivery,
  postWebhookSecret,
  postWebhookTest,
  type Webhook,
  type WebhookDelivery,
  type WebhookEdit,
} from "./webhookEndpoints.ts";

/** A webhook with its secret, which cannot be read again. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** The webhooks of a user. */
export interface WebhooksView {
  /** Newest first. */
  readonly webhooks: readonly Webhook[];
  /** True if the account has a key, so that no webhook is sent content. */
  readonly hasKey: boolean;
}

/** The last deliveries of one webhook, newest first. */
export interface DeliveriesView {
  readonly webhookId: string;
  readonly deliveries: readonly WebhookDelivery[];
}

/** The addresses that are told of events of the user's mail and masks. */
export interface Webhooks {
  /** null until they are loaded. */
  readonly view$: State<WebhooksView | null>;
  /** Those of the watched webhook, else of the one that was asked for last; null until they are loaded. */
  readonly deliveries$: State<DeliveriesView | null>;
  /** The text that was copied a moment ago. */
  readonly copied$: State<string | null>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  readonly create: (webhook: NewWebhook) => TE.TaskEither<Problem, WebhookWithSecret>;
  readonly edit: (id: string, edit: Omit<WebhookEdit, "active">) => TE.TaskEither<Problem, void>;
  /** Switches a webhook on or off, with a toast; switching on resumes a paused one. */
  readonly setActive: (id: string, isActive: boolean) => TE.TaskEither<Problem, void>;
  /** Deletes a webhook with a toast; succeeds when it is deleted already. */
  readonly remove: (id: string) => TE.TaskEither<Problem, void>;
  readonly renewSecret: (id: string) => TE.TaskEither<Problem, WebhookWithSecret>;
  readonly loadDeliveries: (id: string) => TE.TaskEither<Problem, void>;
  /** Sends a test and waits for its outcome, for up to 15 seconds. */
  readonly test: (id: string) => TE.TaskEither<Problem, WebhookDelivery>;
  /** Sends a message again, as `test` does. */
  readonly sendAgain: (id: string, deliveryId: string) => TE.TaskEither<Problem, WebhookDelivery>;
  /** Keeps the deliveries of a webhook up to date until the returned function is called. */
  readonly watch: (id: string) => () => void;
  /** Copies a secret with a toast. */
  readonly copy: (text: string) => TE.TaskEither<Problem, void>;
}

export interface WebhooksDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
  readonly toast: ShowToast;
  readonly user$: Observable<{ readonly email: string } | null>;
  readonly online$: State<boolean>;
  readonly tabs: { readonly visible$: State<boolean> };
}

const toListProblem = problemOf({ page: "Failed to load your webhooks" });
const toCreateProblem = problemOf({ page: "Failed to add the webhook" });
const toEditProblem = problemOf({ page: "Failed to save the webhook" });
const toRemoveProblem = problemOf({ page: "Failed to delete the webhook" });
const toSecretProblem = problemOf({ page: "Failed to make a new secret" });
const toDeliveriesProblem = problemOf({ page: "Failed to load the deliveries" });
const toTestProblem = problemOf({ page: "Failed to send a test" });
const toAgainProblem = problemOf({ page: "Failed to send it again" });

/** The interval at which the server is asked for an outcome, and how often at most: longer than a receiver may take. */
const outcomeEveryMs = 1_000;
const outcomeLooks = 15;

const watchEveryMs = 5_000;

/** True if an attempt has ended since a delivery was asked for. */
const hasOutcome = (asked: WebhookDelivery, now: WebhookDelivery): boolean =>
  now.state !== "waiting" || now.nextAttempt !== asked.nextAttempt;

/** Creates the list; it is empty until `refresh` and is cleared when the user changes. */
export const createWebhooks = (deps: WebhooksDeps): Webhooks & { readonly start: () => Subscription } => {
  const { call, clock, toast, user$, online$, tabs } = deps;
  const view$ = createState<WebhooksView | null>(null);
  const deliveries$ = createState<DeliveriesView | null>(null);
  const watched$ = createState<string | null>(null);
  const hasFailed$ = createState(false);
  const { copied$, copy } = createCopying<string>(deps);
  const owner = createOwner();
  const request = createOwnedRequest(owner);
  const asVoid = TE.map((): void => undefined);

  const change = (project: (webhooks: readonly Webhook[]) => readonly Webhook[]): void =>
    view$.update((view) => view && { ...view, webhooks: project(view.webhooks) });
  const put = (changed: Webhook): void =>
    change((webhooks) => webhooks.map((one) => (one.id === changed.id ? changed : one)));

  const refresh: TE.TaskEither<Problem, void> = pipe(
    request(toListProblem, call(listWebhooks)(), view$.set),
    tapResult((result) => hasFailed$.set(E.isLeft(result))),
    asVoid,
  );

  const loadDeliveries = (id: string): TE.TaskEither<Problem, readonly WebhookDelivery[]> =>
    pipe(
      request(
        toDeliveriesProblem,
        call(listWebhookDeliveries)({ params: { id }, silent: true }),
        ({ deliveries }) => {
          const watched = watched$.value;
          if (watched === null || watched === id) deliveries$.set({ webhookId: id, deliveries });
        },
      ),
      TE.map(({ deliveries }) => deliveries),
    );

  const findOutcome = (id: string, asked: WebhookDelivery): Observable<WebhookDelivery> =>
    interval(outcomeEveryMs, clock.scheduler).pipe(
      startWith(null),
      take(outcomeLooks + 1),
      exhaustMap(() => defer(loadDeliveries(id))),
      map((looked) => (E.isRight(looked) && looked.right.find((one) => one.id === asked.id)) || asked),
      takeWhile((found) => !hasOutcome(asked, found), true),
    );

  /** Follows a message that was just sent; answers how it stands when the outcome is known, or is not after a while. */
  const followed = (id: string) => (asked: WebhookDelivery) =>
    pipe(
      TE.fromTask<WebhookDelivery, Problem>(() =>
        lastValueFrom(findOutcome(id, asked), { defaultValue: asked }),
      ),
      tapResult(() => startTask(refresh)),
    );

  return {
    view$,
    deliveries$,
    copied$,
    refresh: () => refresh,
    create: (webhook) =>
      request(toCreateProblem, call(postWebhook)({ body: webhook }), ({ webhook: made }) =>
        change((webhooks) => [made, ...webhooks]),
      ),
    edit: (id, edit) =>
      pipe(request(toEditProblem, call(patchWebhook)({ params: { id }, body: edit }), put), asVoid),
    setActive: (id, isActive) =>
      pipe(
        request(
          toEditProblem,
          call(patchWebhook)({ params: { id }, body: { active: isActive } }),
          (changed) => {
            put(changed);
            toast("success", isActive ? "Webhook switched on" : "Webhook switched off");
          },
        ),
        asVoid,
      ),
    remove: (id) =>
      request(toRemoveProblem, orGone(call(deleteWebhook)({ params: { id } })), () => {
        change((webhooks) => webhooks.filter((one) => one.id !== id));
        toast("success", "Webhook deleted");
      }),
    renewSecret: (id) =>
      request(toSecretProblem, call(postWebhookSecret)({ params: { id } }), ({ webhook }) => put(webhook)),
    loadDeliveries: (id) => pipe(loadDeliveries(id), asVoid),
    test: (id) =>
      pipe(
        request(toTestProblem, call(postWebhookTest)({ params: { id } }), () => {}),
        TE.chain(followed(id)),
      ),
    sendAgain: (id, delivery) =>
      pipe(
        request(toAgainProblem, call(postWebhookDelivery)({ params: { id, delivery } }), () => {}),
        TE.chain(followed(id)),
      ),
    watch: (id) => {
      if (deliveries$.value?.webhookId !== id) deliveries$.set(null);
      watched$.set(id);
      return () => {
        if (watched$.value === id) watched$.set(null);
      };
    },
    copy: (text) => copy(text, text, "Copied to clipboard"),
    start: () => {
      const running = followUser(owner, user$, () => {
        view$.set(null);
        deliveries$.set(null);
      });
      running.add(failedBackOnline(online$, hasFailed$, clock.scheduler).subscribe(() => startTask(refresh)));
      const seen$ = combineState([watched$, tabs.visible$, online$], (id, isVisible, isOnline) =>
        isVisible && isOnline ? id : null,
      );
      running.add(
        seen$
          .pipe(
            switchMap((id) =>
              id === null
                ? EMPTY
                : interval(watchEveryMs, clock.scheduler).pipe(exhaustMap(() => defer(loadDeliveries(id)))),
            ),
          )
          .subscribe(),
      );
      return running;
    },
  };
};
