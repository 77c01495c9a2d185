import {
  describeEvents,
  describeMessage,
  describeOutcome,
  healthOf,
  pauseTexts,
} from "../../../core/webhooks/describeWebhook.ts";
import { maxWebhooks, retriedForHours, type Webhook } from "../../../core/webhooks/webhookEndpoints.ts";
import { createWebhooks, type Webhooks } from "../../../core/webhooks/webhooks.ts";
import { durationText, longTime, relativeTimeInSentence } from "../../format/dates.ts";
import { ItemsCard } from "../../items/ItemsCard.tsx";
import { createChunk } from "../../loading/chunk.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge, type BadgeProps } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import styles from "../../ui/layout/ItemList.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { Menu } from "../../ui/overlay/Menu.tsx";
import type { WebhookTarget } from "./WebhookDialogs.tsx";

const dialogs = createChunk(
  () => import("./WebhookDialogs.tsx"),
  (module) => module.WebhookDialogs,
);

const marks: Readonly<
  Record<ReturnType<typeof healthOf>, { readonly kind: BadgeProps["kind"]; readonly text: string }>
> = {
  working: { kind: "success", text: "Working" },
  failing: { kind: "warning", text: "Failing" },
  paused: { kind: "danger", text: "Paused" },
  off: { kind: "neutral", text: "Off" },
};

const whenText = (iso: string): string => relativeTimeInSentence(Date.parse(iso), Date.now());

/** Says what keeps a webhook from working; null for nothing. */
const obstacleOf = ({ state, pausedBecause, failingSince }: Webhook): string | null => {
  if (pausedBecause !== null) return pauseTexts[pausedBecause];
  if (state === "off") return "Nothing is sent until you switch the webhook on.";
  if (failingSince === null) return null;
  return `Failing for ${durationText(Date.now() - Date.parse(failingSince))}. After ${retriedForHours} hours it is paused.`;
};

const scopeText = ({ events, labels, includesContent }: Webhook): string =>
  [
    describeEvents(events),
    ...(labels.length > 0 ? [`Only masks labeled ${labels.join(" or ")}`] : []),
    ...(includesContent ? ["With subject and text"] : []),
  ].join(" · ");

const lastText = ({ state, lastDelivery }: Webhook): string | null => {
  if (lastDelivery === null) return state === "off" ? null : "Nothing was sent yet.";
  return `Last delivery: ${describeMessage(lastDelivery)}, ${whenText(lastDelivery.created)}. ${describeOutcome(lastDelivery)}`;
};

interface WebhookRowProps {
  readonly webhook: Webhook;
  readonly webhooks: Webhooks;
  readonly onOpen: (target: WebhookTarget) => void;
}

const WebhookRow = ({ webhook, webhooks, onOpen }: WebhookRowProps) => {
  const { id, url, state, earlierSecretUntil } = webhook;
  const setActive = useFormAction(webhooks.setActive);
  const mark = marks[healthOf(webhook)];
  const facts = [
    obstacleOf(webhook),
    lastText(webhook),
    earlierSecretUntil && `The earlier secret signs too until ${longTime(Date.parse(earlierSecretUntil))}.`,
  ].filter((fact) => fact !== null);
  const switching = {
    on: { label: "Switch off", isOn: false },
    off: { label: "Switch on", isOn: true },
    paused: { label: "Resume", isOn: true },
  }[state];
  return (
    <ItemRow
      title={
        <>
          {url}
          <Badge kind={mark.kind} hasDot>
            {mark.text}
          </Badge>
        </>
      }
      text={scopeText(webhook)}
      details={
        <>
          {facts.map((fact) => (
            <span key={fact} className={styles.text}>
              {fact}
            </span>
          ))}
          <ProblemBanner problem={setActive.problem} />
        </>
      }
    >
      <ButtonRow>
        {state === "paused" && (
          <Button
            size="small"
            aria-label={`Resume: ${url}`}
            isPending={setActive.isRunning}
            onPress={() => setActive.run(id, true)}
          >
            Resume
          </Button>
        )}
        <Button
          size="small"
          aria-label={`Deliveries: ${url}`}
          onPress={() => onOpen({ kind: "deliveries", webhook, isTest: false })}
        >
          Deliveries
        </Button>
        <Menu
          label={`Actions for ${url}`}
          size="small"
          items={[
            {
              id: "test",
              label: "Send a test",
              onSelect: () => onOpen({ kind: "deliveries", webhook, isTest: true }),
            },
            { id: "edit", label: "Edit", onSelect: () => onOpen({ kind: "edit", webhook }) },
            {
              id: "switch",
              label: switching.label,
              isDisabled: setActive.isRunning,
              onSelect: () => setActive.run(id, switching.isOn),
            },
            { id: "secret", label: "New secret", onSelect: () => onOpen({ kind: "secret", webhook }) },
            {
              id: "delete",
              label: "Delete",
              isDanger: true,
              onSelect: () => onOpen({ kind: "delete", webhook }),
            },
          ]}
        />
      </ButtonRow>
    </ItemRow>
  );
};

interface WebhookListProps {
  readonly list: readonly Webhook[];
  readonly webhooks: Webhooks;
  readonly onOpen: (target: WebhookTarget) => void;
}

const WebhookList = ({ list, webhooks, onOpen }: WebhookListProps) => {
  const add = <Button onPress={() => onOpen({ kind: "add" })}>Add webhook</Button>;
  if (list.length === 0)
    return (
      <EmptyState title="No webhooks yet" action={add}>
        A webhook notifies a program of yours when mail comes, is blocked or held, or when a mask is created.
      </EmptyState>
    );
  return (
    <>
      <ItemList label="Webhooks">
        {list.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} webhooks={webhooks} onOpen={onOpen} />
        ))}
      </ItemList>
      {list.length < maxWebhooks ? (
        <ButtonRow>{add}</ButtonRow>
      ) : (
        <p className={styles.text}>You have {maxWebhooks} webhooks, the most an account can have.</p>
      )}
    </>
  );
};

/** The addresses that are told of what happens to the user's mail and masks. */
export const WebhooksCard = () => {
  const webhooks = useFeature(createWebhooks);
  const view = useObservable(webhooks.view$);
  return (
    <ItemsCard
      text="Messages to a program of yours about your mail and masks, as they happen. Each is signed, so that the program knows where it comes from."
      refresh={webhooks.refresh}
      list={view}
      loadingLabel="Loading your webhooks"
      dialogs={dialogs}
      dialogProps={{ webhooks, hasKey: view?.hasKey ?? false }}
    >
      {({ webhooks: list }, open) => <WebhookList list={list} webhooks={webhooks} onOpen={open} />}
    </ItemsCard>
  );
};
