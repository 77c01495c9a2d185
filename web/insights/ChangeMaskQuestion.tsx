import { type Mask, statisticsOf } from "../../core/masks/mask.ts";
import type { Around } from "../binding/around.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { nameOf } from "../masks/maskDialog.ts";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import type { ShownSuggestion } from "./insightsPart.ts";

interface ChangeMaskQuestionProps {
  readonly deed: "switchOff" | "turnOnSpamProtection";
  readonly suggestion: ShownSuggestion;
  readonly around: Around;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const words = {
  switchOff: {
    title: (name: string) => `Switch off ${name}?`,
    confirm: "Switch off",
    pending: "Switching off…",
    text: "Mail to it will be refused from now on. Its address stays yours, and you can switch it on again at any time.",
  },
  turnOnSpamProtection: {
    title: (name: string) => `Turn on the spam filter of ${name}?`,
    confirm: "Turn on",
    pending: "Turning on…",
    text: "It refuses mail that is forged or looks like spam, and its sender is told. You can turn it off again in Edit mask.",
  },
} as const;

const draftOf = (mask: Mask) => ({
  description: nameOf(mask),
  forwardTo: mask.forwardTo,
  customPrefix: mask.customPrefix ?? "",
  spamFilter: true,
});

/** Asks before a suggestion changes a mask. */
export const ChangeMaskQuestion = (props: ChangeMaskQuestionProps) => {
  const { deed, suggestion, around, isOpen, onClose, onDone } = props;
  const { masks } = useApp();
  const { all } = useObservable(masks.view$);
  const mask = all.find(({ id }) => id === suggestion.maskId);
  const switchOff = useAction((id: string) => around(masks.setActive(id, false)), { onSuccess: onDone });
  const filterSpam = useAction((of: Mask) => around(masks.edit(of.id, draftOf(of))), { onSuccess: onDone });
  const { title, confirm, pending, text } = words[deed];
  const problem = switchOff.problem ?? filterSpam.problem;
  if (!mask)
    return (
      <ConfirmDialog
        isOpen={isOpen}
        title="This mask is gone"
        confirmLabel="Close"
        onConfirm={onClose}
        onCancel={onClose}
      >
        <p>The mask this suggestion speaks of was deleted. Refresh to see what would help now.</p>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={title(nameOf(mask))}
      confirmLabel={confirm}
      pendingLabel={pending}
      isPending={switchOff.isRunning || filterSpam.isRunning}
      onConfirm={() => (deed === "switchOff" ? switchOff.run(mask.id) : filterSpam.run(mask))}
      onCancel={onClose}
    >
      <p>{text}</p>
      {deed === "switchOff" && statisticsOf(mask).totalReceived > 0 && (
        <p>It has received {statisticsOf(mask).totalReceived} mails so far; its counts stay.</p>
      )}
      <ProblemBanner problem={problem} />
    </ConfirmDialog>
  );
};
