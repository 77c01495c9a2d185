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

interface CreateRuleProps {
  /** The mask that the mail came to. */
  readonly maskId: string;
  readonly sender: ShownSender;
}

/** The button alone, for a screen that has the dialog elsewhere. */
export const CreateRuleButton = ({
  address,
  onPress,
}: {
  readonly address: string;
  readonly onPress: () => void;
}) => (
  <Button size="small" onPress={onPress} aria-label={`Create a rule for mail from ${address}`}>
    Create a rule
  </Button>
);

/** A button that creates a rule from somebody's mail. */
export const CreateRule = (props: CreateRuleProps) => {
  const { opened, isOpen, open, close } = useLazyOpening(senderRuleDialog);
  const SenderRuleDialog = senderRuleDialog.loaded();
  return (
    <>
      <CreateRuleButton address={props.sender.address} onPress={() => open()} />
      {SenderRuleDialog && opened && (
        <GuardedDialog key={opened.key} part="rule" onClose={close}>
          <SenderRuleDialog {...props} isOpen={isOpen} onClose={close} />
        </GuardedDialog>
      )}
    </>
  );
};
