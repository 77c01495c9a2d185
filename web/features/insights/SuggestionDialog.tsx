import { useState } from "react";
import type { Insights } from "../../../core/insights/insights.ts";
import { toRuleDraft } from "../../../core/insights/suggestedRuleDraft.ts";
import type { SuggestionAction } from "../../../core/insights/suggestion.ts";
import { type Mask, statisticsOf } from "../../../core/masks/mask.ts";
import { toMaskDraft } from "../../../core/masks/maskDraft.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { localTimeZone } from "../../format/dates.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import type { ActionWrapper } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { CreateMaskDialog } from "../masks/form/CreateMaskDialog.tsx";
import { RuleDialog } from "../rules/form/RuleDialog.tsx";
import type { ShownSuggestion } from "./figures.ts";

interface SuggestedRuleDialogProps {
  readonly suggestion: ShownSuggestion;
  readonly wrap: ActionWrapper;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The rule dialog filled with the suggested rule, for the suggested mask or another one (RU2, IN3). */
const SuggestedRuleDialog = ({ suggestion, wrap, isOpen, onClose, onDone }: SuggestedRuleDialogProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const [draft] = useState(() => toRuleDraft(suggestion, localTimeZone()));
  const mask = all.find(({ id }) => id === suggestion.maskId) ?? all[0];
  return (
    <RuleDialog
      rule={null}
      listId={mask?.id ?? null}
      isOpen={isOpen}
      onClose={onClose}
      onCreated={onDone}
      suggested={{ draft, wrap }}
    />
  );
};

interface ChangeMaskDialogProps {
  readonly operation: "switchOff" | "turnOnSpamProtection";
  readonly suggestion: ShownSuggestion;
  readonly wrap: ActionWrapper;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const texts = {
  switchOff: {
    title: (name: string) => `Switch off ${name}?`,
    confirm: "Switch off",
    pending: "Switching off…",
    text: "Mail to it will be refused from now on. Its address stays yours, and you can switch it on again at any time.",
  },
  turnOnSpamProtection: {
    title: (name: string) => `Switch on the spam filter of ${name}?`,
    confirm: "Switch on",
    pending: "Switching on…",
    text: "The spam filter refuses mail that is forged or looks like spam, and notifies the sender. You can switch it off again in Edit mask.",
  },
} as const;

const toDraft = (mask: Mask) => ({ ...toMaskDraft(mask), description: maskName(mask), spamFilter: true });

/** Asks for confirmation before a suggestion changes a mask. */
const ChangeMaskDialog = (props: ChangeMaskDialogProps) => {
  const { operation, suggestion, wrap, isOpen, onClose, onDone } = props;
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const mask = all.find(({ id }) => id === suggestion.maskId);
  const { title, confirm, pending, text } = texts[operation];
  if (!mask)
    return (
      <ConfirmDialog
        isOpen={isOpen}
        title="This mask was deleted"
        confirmLabel="Close"
        onConfirm={onClose}
        onCancel={onClose}
      >
        <p>The mask of this suggestion was deleted. Refresh to see new suggestions.</p>
      </ConfirmDialog>
    );
  return (
    <ActionDialog<unknown>
      isOpen={isOpen}
      title={title(maskName(mask))}
      confirmLabel={confirm}
      pendingLabel={pending}
      action={() =>
        operation === "switchOff"
          ? wrap(masks.setActive(mask.id, false))
          : wrap(masks.edit(mask.id, toDraft(mask)))
      }
      onClose={onClose}
      onDone={onDone}
    >
      <p>{text}</p>
      {operation === "switchOff" && statisticsOf(mask).totalReceived > 0 && (
        <p>It has received {statisticsOf(mask).totalReceived} emails so far; its counts stay.</p>
      )}
    </ActionDialog>
  );
};

interface SuggestionDialogProps {
  readonly insights: Insights;
  readonly suggestion: ShownSuggestion;
  readonly operation: SuggestionAction;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called when the suggestion was applied and its button was removed. */
  readonly onApplied: () => void;
}

/** The dialog that applying a suggestion opens; completing it marks the suggestion as applied (IN3). */
export const SuggestionDialog = (props: SuggestionDialogProps) => {
  const { insights, suggestion, operation, isOpen, onClose, onApplied } = props;
  const wrap: ActionWrapper = (change) => insights.applyBy(suggestion, change);
  const done = (): void => {
    onApplied();
    onClose();
  };
  const dialogProps = { suggestion, wrap, isOpen, onClose, onDone: done };
  switch (operation) {
    case "createMask":
      return (
        <CreateMaskDialog
          isOpen={isOpen}
          onClose={onClose}
          suggestion={suggestion}
          wrap={wrap}
          onCreated={done}
        />
      );
    case "createRule":
      return <SuggestedRuleDialog {...dialogProps} onDone={onApplied} />;
    case "switchOff":
    case "turnOnSpamProtection":
      return <ChangeMaskDialog {...dialogProps} operation={operation} />;
    default:
      return null;
  }
};
