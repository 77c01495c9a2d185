import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { Notification } from "../../../core/notifications/notification.ts";
import { createMaskSenders } from "../../../core/senders/senderCommands.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";

interface BlockSenderProps extends Required<Pick<Notification, "sender">> {
  /** Called to open the editor of a rule for the sender's mail. */
  readonly onMakeRule: () => void;
}

/** Makes a rule for the mail of who sent the mail of a notification, or blocks their address or their domain. */
export const BlockSender = ({ sender: { maskId, address }, onMakeRule }: BlockSenderProps) => {
  const maskSenders = useFeature(createMaskSenders);
  const block = useAction(maskSenders.block);
  const blockDomain = useAction(maskSenders.block);
  const domain = domainOf(address).toLowerCase();
  return (
    <>
      <Button size="small" onPress={onMakeRule} aria-label={`Make a rule for mail from ${address}`}>
        Make a rule
      </Button>
      <Button
        size="small"
        onPress={() => block.run(maskId, address)}
        isPending={block.isRunning}
        aria-label={`Block sender ${address}`}
      >
        Block sender
      </Button>
      {domain.includes(".") && (
        <Button
          size="small"
          onPress={() => blockDomain.run(maskId, domain)}
          isPending={blockDomain.isRunning}
          aria-label={`Block domain ${domain}`}
        >
          Block domain
        </Button>
      )}
      <ProblemBanner problem={block.problem ?? blockDomain.problem} />
    </>
  );
};
