import { useState } from "react";
import { type ShownSender, senderRuleDraft } from "../../../../core/rules/editing/senderRuleDraft.ts";
import { localTimeZone } from "../../../format/dates.ts";
import { RuleDialog } from "./RuleDialog.tsx";

export interface SenderRuleDialogProps {
  readonly maskId: string;
  readonly sender: ShownSender;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The rule dialog, filled for the mail of a sender. */
export const SenderRuleDialog = ({ maskId, sender, ...props }: SenderRuleDialogProps) => {
  const [draft] = useState(() => senderRuleDraft(sender, localTimeZone()));
  return <RuleDialog {...props} rule={null} listId={maskId} suggested={{ draft }} />;
};
