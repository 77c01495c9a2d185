import { createMaskSenders } from "../../../core/senders/senderCommands.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";

interface AllowButtonProps {
  readonly maskId: string;
  /** An address or a domain. */
  readonly sender: string;
  /** Called when the sender is allowed. */
  readonly onAllowed: () => void;
}

/** Has a mask always accept a sender. */
export const AllowButton = ({ maskId, sender, onAllowed }: AllowButtonProps) => {
  const allow = useAction(useFeature(createMaskSenders).allow, { onSuccess: onAllowed });
  return (
    <>
      <Button
        size="small"
        onPress={() => allow.run(maskId, sender)}
        isPending={allow.isRunning}
        aria-label={`Always allow ${sender}`}
      >
        Always allow
      </Button>
      <ProblemBanner problem={allow.problem} />
    </>
  );
};
