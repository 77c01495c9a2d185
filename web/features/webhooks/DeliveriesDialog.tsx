import { useEffect, useRef, useState } from "react";
import { describeMessage, describeOutcome } from "../../../core/webhooks/describeWebhook.ts";
import {
  listedDeliveries,
  type Webhook,
  type WebhookDelivery,
} from "../../../core/webhooks/webhookEndpoints.ts";
import type { Webhooks } from "../../../core/webhooks/webhooks.ts";
import { exactTime, relativeTime } from "../../format/dates.ts";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge, type BadgeProps } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import styles from "../../ui/layout/ItemList.module.css";
import { ItemList, ItemListLoading, ItemRow } from "../../ui/layout/ItemList.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { hostOf } from "./hostOf.ts";

const marks: Readonly<
  Record<WebhookDelivery["state"], { readonly kind: BadgeProps["kind"]; readonly text: string }>
> = {
  delivered: { kind: "success", text: "Delivered" },
  waiting: { kind: "warning", text: "Waiting" },
  failed: { kind: "danger", text: "Failed" },
};

const attemptsText = ({ attempts, nextAttempt }: WebhookDelivery): string => {
  const tried = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  if (nextAttempt === null || attempts === 0) return tried;
  return `${tried}, the next one ${exactTime(Date.parse(nextAttempt))}`;
};

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery;
  readonly onSendAgain: () => void;
  readonly isSending: boolean;
}

const DeliveryRow = ({ delivery, onSendAgain, isSending }: DeliveryRowProps) => {
  const { created, state, answer } = delivery;
  const what = describeMessage(delivery);
  const when = relativeTime(Date.parse(created), Date.now());
  const mark = marks[state];
  return (
    <ItemRow
      title={
        <>
          {what}
          <Badge kind={mark.kind} hasDot>
            {mark.text}
          </Badge>
        </>
      }
      text={
        <>
          <time dateTime={created} title={exactTime(Date.parse(created))}>
            {when}
          </time>
          {` · ${attemptsText(delivery)}`}
        </>
      }
      details={
        <>
          <span className={styles.text}>{describeOutcome(delivery)}</span>
          {answer !== null && answer !== "" && <span className={styles.text}>Answer: {answer}</span>}
        </>
      }
    >
      <Button
        size="small"
        aria-label={`Send again: ${what}, ${when}`}
        onPress={onSendAgain}
        isPending={isSending}
        pendingLabel="Sending…"
      >
        Send again
      </Button>
    </ItemRow>
  );
};

/** The result of the last message that the user sent by hand. */
const Outcome = ({ delivery }: { readonly delivery: WebhookDelivery }) => {
  const what = delivery.event === "webhook.test" ? "test" : "message";
  const outcome = describeOutcome(delivery);
  if (delivery.state === "delivered")
    return <Banner kind="success">{`The ${what} arrived. ${outcome}`}</Banner>;
  if (delivery.state === "failed" || delivery.problem !== null)
    return <Banner kind="error">{`The ${what} failed. ${outcome}`}</Banner>;
  return <Banner kind="info">{`The ${what} was sent. ${outcome}`}</Banner>;
};

interface DeliveriesDialogProps {
  readonly webhooks: Webhooks;
  readonly webhook: Webhook;
  /** A test is sent when the dialog opens. */
  readonly isTest: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows the last deliveries of a webhook with their answers, and sends a test. */
export const DeliveriesDialog = ({ webhooks, webhook, isTest, isOpen, onClose }: DeliveriesDialogProps) => {
  const { id, url } = webhook;
  const view = useObservable(webhooks.deliveries$);
  const { run: load, isRunning, problem } = useAction(webhooks.loadDeliveries);
  const [outcome, setOutcome] = useState<WebhookDelivery | null>(null);
  const [sending, setSending] = useState<string | null>(null);
  const test = useFormAction(webhooks.test, { onSuccess: setOutcome });
  const again = useFormAction(webhooks.sendAgain, { onSuccess: setOutcome });
  const isBusy = test.isRunning || again.isRunning;
  const { run: runTest } = test;
  const wantsTest = useRef(isTest);
  useEffect(() => {
    if (!isOpen) return undefined;
    const stop = webhooks.watch(id);
    if (wantsTest.current) {
      wantsTest.current = false;
      runTest(id);
    } else load(id);
    return stop;
  }, [isOpen, webhooks, id, load, runTest]);
  const deliveries = view?.webhookId === id ? view.deliveries : null;
  const startSending = (): void => {
    setOutcome(null);
    test.clearProblem();
    again.clearProblem();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Deliveries to ${hostOf(url)}`}
      size="large"
      footer={
        <>
          <Button onPress={onClose}>Close</Button>
          <Button
            variant="primary"
            isDisabled={again.isRunning}
            isPending={test.isRunning}
            pendingLabel="Sending…"
            onPress={() => {
              startSending();
              test.run(id);
            }}
          >
            Send a test
          </Button>
        </>
      }
    >
      {outcome !== null && !isBusy && <Outcome delivery={outcome} />}
      <ProblemBanner problem={test.problem ?? again.problem} />
      <ItemListLoading
        label="Loading the deliveries"
        isLoaded={deliveries !== null}
        problem={deliveries === null ? problem : null}
        onRetry={() => load(id)}
        isRetrying={isRunning}
      />
      {deliveries?.length === 0 && (
        <EmptyState title="Nothing was sent yet">
          Send a test to see whether it arrives. The last {listedDeliveries} messages are listed here.
        </EmptyState>
      )}
      {deliveries !== null && deliveries.length > 0 && (
        <ItemList label="Deliveries">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              isSending={again.isRunning && sending === delivery.id}
              onSendAgain={() => {
                startSending();
                setSending(delivery.id);
                again.run(id, delivery.id);
              }}
            />
          ))}
        </ItemList>
      )}
    </Dialog>
  );
};
