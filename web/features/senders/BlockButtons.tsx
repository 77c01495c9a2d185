import { domainOf } from "../../../core/mail/emailAddress.ts";
import { createMaskSenders } from "../../../core/senders/senderCommands.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";

interface BlockButtonProps {
  readonly maskId: string;
  /** An address or a domain. */
  readonly sender: string;
  readonly isBlocked: boolean;
  /** Called when the mask blocks the sender, or takes their mail again. */
  readonly onChange?: (() => void) | undefined;
}

const BlockButton = ({ maskId, sender, isBlocked, onChange = () => {} }: BlockButtonProps) => {
  const { block, unblock } = useFeature(createMaskSenders);
  const change = useAction(() => (isBlocked ? unblock(maskId, sender) : block(maskId, sender, onChange)), {
    onSuccess: onChange,
  });
  const label = `${isBlocked ? "Unblock" : "Block"} ${sender.includes("@") ? "sender" : "domain"}`;
  return (
    <>
      <Button
        size="small"
        onPress={() => change.run()}
        isPending={change.isRunning}
        aria-label={`${label} ${sender}`}
      >
        {label}
      </Button>
      <ProblemBanner problem={change.problem} />
    </>
  );
};

interface BlockButtonsProps extends Omit<BlockButtonProps, "sender" | "isBlocked"> {
  /** An address, or where only that is known a domain. */
  readonly address: string;
  readonly isBlocked?: boolean;
  /** The domain that the mask blocks, theirs or one above it. */
  readonly blockedDomain?: string | undefined;
}

/** Blocks a sender of a mask or all of their domain with one press, and unblocks them. */
export const BlockButtons = ({ address, isBlocked = false, blockedDomain, ...props }: BlockButtonsProps) => {
  const domain = blockedDomain ?? domainOf(address).toLowerCase();
  return (
    <>
      {address.includes("@") && <BlockButton {...props} sender={address} isBlocked={isBlocked} />}
      {domain.includes(".") && (
        <BlockButton {...props} sender={domain} isBlocked={blockedDomain !== undefined} />
      )}
    </>
  );
};
