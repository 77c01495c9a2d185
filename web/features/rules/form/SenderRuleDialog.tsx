import { useState } from "react";
import { type ShownSender, senderRuleDraft } from "../../../../core/rules/editing/senderRuleDraft.ts";
import { accountListId, placeOfList } from "../../../../core/rules/model/rulePlace.ts";
import { localTimeZone } from "../../../format/dates.ts";
import { MaskSelect } from "../../../items/MaskSelect.tsx";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { RuleDialog } from "./RuleDialog.tsx";

export interface SenderRuleDialogProps {
  readonly maskId: string;
  readonly sender: ShownSender;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The rule dialog, filled for the mail of a sender at a mask or at another one that is chosen there. */
export const SenderRuleDialog = ({ maskId, sender, isOpen, onClose }: SenderRuleDialogProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const [draft] = useState(() => senderRuleDraft(sender, localTimeZone()));
  const [chosen, choose] = useState(maskId);
  const mask = all.find(({ id }) => id === chosen) ?? all[0];
  const target = placeOfList(chosen) === null ? (mask?.id ?? null) : chosen;
  return (
    <RuleDialog
      rule={null}
      maskId={target}
      isOpen={isOpen}
      onClose={onClose}
      suggested={{
        title: "Create New Rule",
        draft,
        onCreated: onClose,
        maskSelect: (
          <MaskSelect
            value={target ?? undefined}
            onChange={choose}
            masks={all}
            others={[
              {
                value: accountListId("before"),
                label: "All masks",
                description: "Before the rules of each mask",
              },
            ]}
          />
        ),
      }}
    />
  );
};
