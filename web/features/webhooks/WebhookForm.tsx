import { useState } from "react";
import type { Problem } from "../../../core/api/errorMessages.ts";
import { eventsByGroup } from "../../../core/webhooks/describeWebhook.ts";
import type { NewWebhook } from "../../../core/webhooks/webhookEndpoints.ts";
import { type WebhookEvent, webhookEvents, webhookEventTexts } from "../../../core/webhooks/webhookEvent.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import styles from "../../ui/form/Field.module.css";
import { FieldNotes } from "../../ui/form/FieldNotes.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import stack from "../../ui/layout/DialogBody.module.css";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { LabelsField } from "../labels/LabelsField.tsx";

interface EventFieldsProps {
  readonly events: readonly WebhookEvent[];
  readonly onChange: (events: readonly WebhookEvent[]) => void;
  readonly error: string | undefined;
}

const groupTexts = { Mail: "What happens to mail", Masks: "What happens to masks" } as const;

/** Chooses what a webhook is told of. */
const EventFields = ({ events, onChange, error }: EventFieldsProps) => (
  <>
    {eventsByGroup.map(({ group, events: offered }) => (
      <fieldset key={group} className={stack.stack}>
        <legend className="visually-hidden">{groupTexts[group]}</legend>
        <span className={styles.label} aria-hidden="true">
          {groupTexts[group]}
        </span>
        {offered.map((event) => (
          <Checkbox
            key={event}
            label={webhookEventTexts[event].label}
            description={webhookEventTexts[event].sentence}
            isChecked={events.includes(event)}
            onChange={(isChecked) =>
              onChange(webhookEvents.filter((one) => (one === event ? isChecked : events.includes(one))))
            }
          />
        ))}
      </fieldset>
    ))}
    <FieldNotes fieldId="webhook-events" error={error} />
  </>
);

interface WebhookFormProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly submitLabel: string;
  readonly pendingLabel: string;
  readonly initial: NewWebhook;
  readonly hasKey: boolean;
  readonly isRunning: boolean;
  readonly problem: Problem | null;
  readonly onEdit: () => void;
  readonly onSubmit: (wanted: NewWebhook) => void;
}

const fields: readonly (keyof NewWebhook)[] = ["url", "events", "labels", "includesContent"];

/** Asks where a webhook sends to, and what. */
export const WebhookForm = ({
  initial,
  hasKey,
  isRunning,
  problem,
  onEdit,
  onSubmit,
  ...dialog
}: WebhookFormProps) => {
  const [wanted, setWanted] = useState(initial);
  const set = (change: Partial<NewWebhook>): void => {
    setWanted((before) => ({ ...before, ...change }));
    onEdit();
  };
  const errorOf = (name: keyof NewWebhook): string | undefined =>
    problem?.fields.find((one) => one.field.split(/[.[]/, 1)[0] === name)?.message;
  return (
    <FormDialog
      {...dialog}
      isPending={isRunning}
      onSubmit={() => onSubmit({ ...wanted, includesContent: wanted.includesContent && !hasKey })}
    >
      <TextField
        label="Address"
        type="url"
        inputMode="url"
        placeholder="https://example.com/hook"
        value={wanted.url}
        onChange={(url) => set({ url })}
        error={errorOf("url")}
        description="Begins with https:// and leads to the program that receives the messages."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <EventFields events={wanted.events} onChange={(events) => set({ events })} error={errorOf("events")} />
      <LabelsField
        label="Only masks with a label"
        placeholder="shops, work"
        description="Separate labels with commas; a mask needs one of them. Empty for all masks."
        labels={wanted.labels}
        onChange={(labels) => set({ labels })}
        error={errorOf("labels")}
      />
      <Checkbox
        label="Send subject and text of mail"
        description={
          hasKey
            ? "Your mail is encrypted to your key, so webhooks never have its content."
            : "While this is off, a message says who wrote to which mask and what happened, not what was written."
        }
        isChecked={wanted.includesContent && !hasKey}
        isDisabled={hasKey}
        onChange={(includesContent) => set({ includesContent })}
        error={errorOf("includesContent")}
      />
      {fields.every((name) => errorOf(name) === undefined) && <ProblemBanner problem={problem} />}
    </FormDialog>
  );
};
