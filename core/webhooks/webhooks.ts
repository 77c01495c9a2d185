import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { createCopying } from "../api/copying.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps } from "../kernel/collection.ts";
import { emailsOf } from "../kernel/owner.ts";
import type { State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Page } from "../ports/page.ts";
import { type DeliveriesView, WebhookDeliveries } from "./webhookDeliveries.ts";
import {
  deleteWebhook,
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

export interface WebhooksDeps extends CollectionDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly page: Pick<Page, "copy">;
  readonly tabs: { readonly visible$: State<boolean> };
}

const toProblem = problemOf({ page: "Failed to load your webhooks" });
const toCreateProblem = problemOf({ page: "Failed to add the webhook" });
const toEditProblem = problemOf({ page: "Failed to save the webhook" });
const toRemoveProblem = problemOf({ page: "Failed to delete the webhook" });
const toSecretProblem = problemOf({ page: "Failed to create a new secret" });
const toTestProblem = problemOf({ page: "Failed to send a test" });
const toAgainProblem = problemOf({ page: "Failed to send it again" });

export const createWebhooks = (deps: WebhooksDeps): Webhooks & { readonly start: () => Subscription } => {
  const { call, toast } = deps;
  const webhooks = new Collection({ ...deps, fetch: call(listWebhooks)(), items: "webhooks", toProblem });
  const { copied$, copy } = createCopying<string>(deps);
  const deliveries = new WebhookDeliveries({
    ...deps,
    request: webhooks.request,
    onOutcome: webhooks.reload,
  });
  return {
    view$: webhooks.answer$,
    deliveries$: deliveries.view$,
    copied$,
    refresh: webhooks.refresh,
    create: (webhook) =>
      webhooks.request(toCreateProblem, call(postWebhook)({ body: webhook }), ({ webhook: made }) =>
        webhooks.addFirst(made),
      ),
    edit: (id, edit) => webhooks.edit(toEditProblem, call(patchWebhook)({ params: { id }, body: edit })),
    setActive: (id, isActive) =>
      webhooks.edit(toEditProblem, call(patchWebhook)({ params: { id }, body: { active: isActive } }), () =>
        toast("success", isActive ? "Webhook switched on" : "Webhook switched off"),
      ),
    remove: (id) =>
      webhooks.remove(id, toRemoveProblem, call(deleteWebhook)({ params: { id } }), "Webhook deleted"),
    renewSecret: (id) =>
      webhooks.request(toSecretProblem, call(postWebhookSecret)({ params: { id } }), ({ webhook }) =>
        webhooks.replace(webhook),
      ),
    loadDeliveries: (id) =>
      pipe(
        deliveries.load(id),
        TE.map(() => undefined),
      ),
    test: (id) =>
      pipe(
        webhooks.request(toTestProblem, call(postWebhookTest)({ params: { id } })),
        TE.chain((asked) => deliveries.follow(id, asked)),
      ),
    sendAgain: (id, delivery) =>
      pipe(
        webhooks.request(toAgainProblem, call(postWebhookDelivery)({ params: { id, delivery } })),
        TE.chain((asked) => deliveries.follow(id, asked)),
      ),
    watch: deliveries.watch,
    copy: (text) => copy(text, text, "Copied to clipboard"),
    start: () => {
      const running = webhooks.start();
      running.add(emailsOf(deps.user$).subscribe(() => deliveries.reset()));
      running.add(deliveries.start());
      return running;
    },
  };
};
