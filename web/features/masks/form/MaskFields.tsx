import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Problem } from "../../../../core/api/errorMessages.ts";
import { labelsOf, parseLabels } from "../../../../core/labels/label.ts";
import { isEmailAddress, mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { type Mask, maxDescriptionLength } from "../../../../core/masks/mask.ts";
import { decodeMaskDraft, type MaskDraft, type RequiredFormField } from "../../../../core/masks/maskDraft.ts";
import { mayChoosePrefix, type Tier } from "../../../../core/tiers/tier.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { useApp, useSignedIn } from "../../../react/useApp.ts";
import { useFormDraft } from "../../../react/useFormDraft.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Badge } from "../../../ui/Badge.tsx";
import { Banner } from "../../../ui/Banner.tsx";
import { Checkbox } from "../../../ui/form/Checkbox.tsx";
import { TextArea } from "../../../ui/form/TextArea.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";
import { ProblemBanner } from "../../../ui/ProblemBanner.tsx";
import { isMaskGone } from "../maskDialog.ts";
import { MoreMaskFields } from "./MoreMaskFields.tsx";

interface MaskFormDraft {
  readonly values: MaskDraft;
  readonly change: (part: Partial<MaskDraft>) => void;
  /** True when closing the form would lose changes. */
  readonly isChanged: boolean;
  /** Whether the form shows what was typed before a reload. */
  readonly isRestored: boolean;
  /** Deletes the input kept for a reload, after it was saved or discarded. */
  readonly forget: () => void;
}

/** The values of a form; `form` names it in what is kept for a reload, null keeps nothing. */
export const useMaskDraft = (initial: MaskDraft, form: string | null): MaskFormDraft => {
  const { restored, keep } = useFormDraft(form, decodeMaskDraft);
  const [initialValues] = useState(initial);
  const [values, setValues] = useState(restored ?? initial);
  const isDifferent = (draft: MaskDraft): boolean =>
    (Object.keys(draft) as (keyof MaskDraft)[]).some(
      (field) => JSON.stringify(draft[field]) !== JSON.stringify(initialValues[field]),
    );
  return {
    values,
    change: (part) => {
      const next = { ...values, ...part };
      setValues(next);
      keep(isDifferent(next) ? next : null);
    },
    isChanged: isDifferent(values),
    isRestored: restored !== null,
    forget: () => keep(null),
  };
};

/** Whether changing the forwarding address needs a confirmation (D33): neither the user's nor a confirmed address. */
const useNeedsConfirmation = (before: string | undefined, after: string): boolean => {
  const { session } = useApp();
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const state = useObservable(session.state$);
  const address = after.trim();
  if (before === undefined || !isEmailAddress(address)) return false;
  const key = mailboxKey(address);
  const confirmed = all
    .filter(({ destinationStatus }) => destinationStatus !== "awaiting-confirmation")
    .map(({ forwardTo }) => mailboxKey(forwardTo));
  const own = state.kind === "signed-in" ? [mailboxKey(state.user.email)] : [];
  return ![mailboxKey(before), ...own, ...confirmed].includes(key);
};

/** A larger plan does not always allow a prefix: Business is above Premium and has none. */
const randomPrefixHint = (tier: Tier): string =>
  tier === "business"
    ? "Masks of the Business plan begin at random."
    : "With the Premium plan you choose how the address begins. Otherwise it is random.";

interface LabelsFieldProps {
  readonly labels: readonly string[];
  readonly onChange: (labels: readonly string[]) => void;
  readonly error: string | undefined;
}

/** Edits labels as text with commas between them; labels of other masks are offered. */
const LabelsField = ({ labels, onChange, error }: LabelsFieldProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const [typed, setTyped] = useState(labels.join(", "));
  const begun = parseLabels(typed).slice(0, /,\s*$/.test(typed) ? undefined : -1);
  const others = labelsOf(all).filter((label) => !begun.includes(label));
  return (
    <TextField
      label="Labels"
      placeholder="shops, work"
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(parseLabels(text));
      }}
      suggestions={others.map((label) => [...begun, label].join(", "))}
      error={error}
      description="Commas separate labels. A label on a card shows all masks that have it."
      autoComplete="off"
    />
  );
};

interface MaskFieldsProps {
  readonly draft: MaskFormDraft;
  readonly problem: Problem | null;
  /** Called when the user types, so that the problem can be cleared. */
  readonly onEdit: () => void;
  /** True for a new mask, whose description gets the focus. */
  readonly isNew?: boolean;
  /** The mask that is edited; absent for a new one. */
  readonly mask?: Mask;
  readonly longestPrefix: number;
  readonly prefixHint: string;
  readonly children?: ReactNode;
}

/** The fields of a mask, shared by the create and the edit dialog (MA5). */
export const MaskFields = ({
  draft,
  problem,
  onEdit,
  isNew = false,
  mask,
  longestPrefix,
  prefixHint,
  children,
}: MaskFieldsProps) => {
  const { masks } = useSignedIn();
  const { tier } = useObservable(masks.plan$);
  const isPrefixAllowed = mayChoosePrefix(tier);
  const { values } = draft;
  const needsConfirmation = useNeedsConfirmation(mask?.forwardTo, values.forwardTo);
  const description = useRef<HTMLInputElement>(null);
  const forwardTo = useRef<HTMLInputElement>(null);
  const customPrefix = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const fields = { description, forwardTo, customPrefix };
    const wrong = Object.entries(fields).find(([name]) => fieldMessage(problem, name) !== undefined);
    wrong?.[1].current?.focus();
  }, [problem]);

  const change = (part: Parameters<MaskFormDraft["change"]>[0]): void => {
    draft.change(part);
    onEdit();
  };

  const controls: Readonly<Record<RequiredFormField, ReactNode>> = {
    description: (
      <TextField
        ref={description}
        label="Description"
        placeholder="Where you will use it"
        value={values.description}
        onChange={(description) => change({ description })}
        error={fieldMessage(problem, "description")}
        isRequired
        maxLength={maxDescriptionLength}
        autoComplete="off"
        autoFocus={isNew}
      />
    ),
    labels: (
      <LabelsField
        labels={values.labels}
        onChange={(labels) => change({ labels })}
        error={fieldMessage(problem, "labels")}
      />
    ),
    note: (
      <TextArea
        label="Note"
        rows={2}
        value={values.note}
        onChange={(note) => change({ note })}
        error={fieldMessage(problem, "note")}
        description="For yourself; nobody else sees it."
      />
    ),
    spamFilter: (
      <Checkbox
        label="Spam filter"
        isChecked={values.spamFilter}
        onChange={(spamFilter) => change({ spamFilter })}
        description="Refuses mail that is forged or looks like spam. Its sender is told."
      />
    ),
  };

  return (
    <>
      {problem && !isMaskGone(problem) && <ProblemBanner problem={problem} />}
      {children}
      {controls.description}
      <TextField
        ref={forwardTo}
        label="Forward to"
        type="email"
        inputMode="email"
        autoCapitalize="none"
        autoComplete="email"
        spellCheck={false}
        value={values.forwardTo}
        onChange={(forwardTo) => change({ forwardTo })}
        error={fieldMessage(problem, "forwardTo")}
        description="An address that is not yours yet gets one mail with a link to confirm it."
      />
      {needsConfirmation && (
        <Banner kind="warning">
          Mail to this mask waits until the new address is confirmed: we send a link there. Until it is
          opened, nothing is forwarded and senders are asked to try again later.
        </Banner>
      )}
      <TextField
        ref={customPrefix}
        label="Custom prefix"
        labelAside={<Badge kind="accent">PRO</Badge>}
        value={values.customPrefix}
        onChange={(customPrefix) => change({ customPrefix })}
        error={fieldMessage(problem, "customPrefix")}
        description={isPrefixAllowed ? prefixHint : randomPrefixHint(tier)}
        isDisabled={!isPrefixAllowed}
        maxLength={longestPrefix}
        showsCount={isPrefixAllowed}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        isMonospace
      />
      {controls.spamFilter}
      {controls.labels}
      {controls.note}
      <MoreMaskFields values={values} change={change} problem={problem} mask={mask} />
    </>
  );
};
