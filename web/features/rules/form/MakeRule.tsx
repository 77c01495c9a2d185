import type { ShownSender } from "../../../../core/rules/editing/senderRuleDraft.ts";
import { createChunk } from "../../../loading/chunk.ts";
import { GuardedDialog } from "../../../loading/Guarded.tsx";
import { useLazyOpening } from "../../../loading/useOpening.ts";
import { Button } from "../../../ui/Button.tsx";

/** The dialog for the rule, for a screen that has it elsewhere than beside its button. */
export const senderRuleDialog = createChunk(
  () => import("./SenderRuleDialog.tsx"),
  (module) => module.SenderRuleDialog,
);

interface MakeRuleProps {
  /** The mask that the mail came to. */
  readonly maskId: string;
  readonly sender: ShownSender;
}

/** A button that makes a rule from somebody's mail. */
export const MakeRule = (props: MakeRuleProps) => {
  const { opened, isOpen, open, close } = useLazyOpening(senderRuleDialog);
  const SenderRuleDialog = senderRuleDialog.loaded();
  return (
    <>
      <Button
        size="small"
        onPress={() => open()}
        aria-label={`Create a rule for mail from ${props.sender.address}`}
      >
        Create a rule
      </Button>
      {SenderRuleDialog && opened && (
        <GuardedDialog key={opened.key} part="rule" onClose={close}>
          <SenderRuleDialog {...props} isOpen={isOpen} onClose={close} />
        </GuardedDialog>
      )}
    </>
  );
};
