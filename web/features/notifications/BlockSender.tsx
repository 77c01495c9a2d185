import type { Notification } from "../../../core/notifications/notification.ts";
import { Button } from "../../ui/Button.tsx";
import { BlockButtons } from "../senders/BlockButtons.tsx";

interface BlockSenderProps extends Required<Pick<Notification, "sender">> {
  /** Called to open the editor of a rule for the sender's mail. */
  readonly onMakeRule: () => void;
}

/** Makes a rule for the mail of who sent the mail of a notification, or blocks their address or their domain. */
export const BlockSender = ({ sender: { maskId, address }, onMakeRule }: BlockSenderProps) => (
  <>
    <Button size="small" onPress={onMakeRule} aria-label={`Create a rule for mail from ${address}`}>
      Create a rule
    </Button>
    <BlockButtons maskId={maskId} address={address} />
  </>
);
