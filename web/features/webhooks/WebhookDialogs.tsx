import { useState } from "react";
import {
  earlierSecretHours,
  type NewWebhook,
  type Webhook,
} from "../../../core/webhooks/webhookEndpoints.ts";
import type { Webhooks, WebhookWithSecret } from "../../../core/webhooks/webhooks.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { SecretDialog } from "../../ui/overlay/SecretDialog.tsx";
import { DeliveriesDialog } from "./DeliveriesDialog.tsx";
import { hostOf } from "./hostOf.ts";
import { WebhookForm } from "./WebhookForm.tsx";

/** A dialog about webhooks. */
export type WebhookTarget =
  | { readonly kind: "add" }
  | { readonly kind: "edit" | "secret" | "delete"; readonly webhook: Webhook }
  | { readonly kind: "deliveries"; readonly webhook: Webhook; readonly isTest: boolean };

interface DialogProps {
  readonly webhooks: Webhooks;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

type WithWebhook = DialogProps & { readonly webhook: Webhook };
type WithKey = DialogProps & { readonly hasKey: boolean };

/** Shows a new secret, which cannot be read again. */
const NewSecretDialog = ({
  webhooks,
  made,
  isOpen,
  onClose,
}: DialogProps & { readonly made: WebhookWithSecret }) => {
  const copy = useAction(webhooks.copy);
  const copied = useObservable(webhooks.copied$);
  const { secret, webhook } = made;
  return (
    <SecretDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Your webhook secret"
      noun="secret"
      secret={secret}
      onCopy={() => copy.run(secret)}
      isCopied={copied === secret}
      intro={`Enter it in the program at ${hostOf(webhook.url)} now. It is shown only once.`}
    >
      <p>
        The program checks the signature of each message with it. Libraries named “standardwebhooks” do that
        in most languages.
      </p>
    </SecretDialog>
  );
};

const empty: NewWebhook = { url: "", events: ["mail.received"], labels: [], includesContent: false };

/** Asks where to send what, then shows the secret. */
const AddDialog = ({ hasKey, ...dialog }: WithKey) => {
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const create = useFormAction(dialog.webhooks.create, { onSuccess: setMade });
  if (made !== null) return <NewSecretDialog {...dialog} made={made} />;
  return (
    <WebhookForm
      {...dialog}
      title="Add webhook"
      submitLabel="Add webhook"
      pendingLabel="Adding…"
      initial={empty}
      hasKey={hasKey}
      isRunning={create.isRunning}
      problem={create.problem}
      onEdit={create.clearProblem}
      onSubmit={create.run}
    />
  );
};

const EditDialog = ({ webhook, hasKey, ...dialog }: WithWebhook & WithKey) => {
  const { id, url, events, labels, includesContent } = webhook;
  const edit = useFormAction(dialog.webhooks.edit, { onSuccess: dialog.onClose });
  return (
    <WebhookForm
      {...dialog}
      title="Edit webhook"
      submitLabel="Save"
      pendingLabel="Saving…"
      initial={{ url, events, labels, includesContent }}
      hasKey={hasKey}
      isRunning={edit.isRunning}
      problem={edit.problem}
      onEdit={edit.clearProblem}
      onSubmit={(wanted) => edit.run(id, wanted)}
    />
  );
};

/** Asks before a new secret is made, then shows it. */
const RenewDialog = ({ webhook, ...dialog }: WithWebhook) => {
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  if (made !== null) return <NewSecretDialog {...dialog} made={made} />;
  return (
    <ActionDialog
      isOpen={dialog.isOpen}
      onClose={dialog.onClose}
      title={`Create a new secret for ${hostOf(webhook.url)}?`}
      confirmLabel="Create secret"
      pendingLabel="Creating…"
      action={() => dialog.webhooks.renewSecret(webhook.id)}
      onDone={setMade}
    >
      <p>
        The present secret signs too for {earlierSecretHours} hours, so that you can enter the new one in the
        meantime. After that only the new one does.
      </p>
    </ActionDialog>
  );
};

const DeleteDialog = ({ webhooks, webhook, ...dialog }: WithWebhook) => (
  <ActionDialog
    {...dialog}
    title={`Delete the webhook to ${hostOf(webhook.url)}?`}
    confirmLabel="Delete"
    pendingLabel="Deleting…"
    isDanger
    action={() => webhooks.remove(webhook.id)}
  >
    <p>
      Nothing more is sent there. Waiting messages and the list of deliveries are deleted. This cannot be
      undone.
    </p>
  </ActionDialog>
);

interface WebhookDialogsProps extends WithKey {
  readonly target: WebhookTarget;
}

/** Shows the requested dialog. */
export const WebhookDialogs = ({ target, hasKey, ...dialog }: WebhookDialogsProps) => {
  switch (target.kind) {
    case "add":
      return <AddDialog {...dialog} hasKey={hasKey} />;
    case "edit":
      return <EditDialog {...dialog} hasKey={hasKey} webhook={target.webhook} />;
    case "secret":
      return <RenewDialog {...dialog} webhook={target.webhook} />;
    case "delete":
      return <DeleteDialog {...dialog} webhook={target.webhook} />;
    case "deliveries":
      return <DeliveriesDialog {...dialog} webhook={target.webhook} isTest={target.isTest} />;
  }
};
