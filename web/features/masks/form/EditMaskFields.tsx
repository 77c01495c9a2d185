import { useRef } from "react";
import type { Problem } from "../../../../core/api/errorMessages.ts";
import { isActive, type Mask, maxPrefixLength } from "../../../../core/masks/mask.ts";
import type { MaskDraft } from "../../../../core/masks/maskDraft.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { ProblemBanner } from "../../../ui/feedback/ProblemBanner.tsx";
import { FieldGroup } from "../../../ui/form/FieldGroup.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";
import { useFirstError } from "../../../ui/form/useFirstError.ts";
import body from "../../../ui/layout/DialogBody.module.css";
import { expiryText } from "../expiryText.ts";
import { isMaskGone } from "../maskDialog.ts";
import { ExpiryFields } from "./ExpiryFields.tsx";
import { ForwardToField } from "./ForwardToField.tsx";
import { MadeForField } from "./MadeForField.tsx";
import {
  AcceptUnprovenField,
  ActionLinksField,
  DestinationFields,
  KeptInAppField,
  SenderShownField,
  ShowCodesField,
  UnsubscribeField,
  WhenOffFields,
} from "./maskParts.tsx";
import { PrefixField } from "./PrefixField.tsx";
import { plainMaskFields } from "./plainMaskFields.tsx";
import { problemIn } from "./problemIn.ts";
import { SenderFields, sendersText } from "./SenderFields.tsx";
import type { MaskFormDraft } from "./useMaskDraft.ts";

interface EditMaskFieldsProps {
  readonly draft: MaskFormDraft;
  readonly problem: Problem | null;
  /** Called when the user types, so that the problem can be cleared. */
  readonly onEdit: () => void;
  readonly mask: Mask;
  /** The group to begin with; by default Delivery is open, and each that differs from a new mask. */
  readonly group?: EditGroup | undefined;
}

/** The groups that other screens lead to. */
export type EditGroup = "senders";

const prefixHint = "A prefix adds a second address, which is then shown. The old one keeps working.";

const lifetimeText = ({ expiry }: MaskDraft, mask: Mask): string => {
  const text = expiryText(expiry === undefined ? mask.expiry : expiry, Date.now());
  return text || "Does not expire";
};

/** The fields of a mask that exists, in four groups of which the first is open (MA5). */
export const EditMaskFields = ({ draft, problem, onEdit, mask, group }: EditMaskFieldsProps) => {
  const { values } = draft;
  const form = useRef<HTMLDivElement>(null);
  useFirstError(form, problem);
  const change = (part: Partial<MaskDraft>): void => {
    draft.change(part);
    onEdit();
  };
  const part = { values, change, problem, mask };
  const fields = plainMaskFields({ values, change, problem, isNew: false });
  return (
    <div className={body.stack} ref={form}>
      {problem && !isMaskGone(problem) && <ProblemBanner problem={problem} />}
      <TextField label="Mask email" value={mask.maskEmail} isReadOnly isMonospace />
      {fields.description}
      <PrefixField
        value={values.customPrefix}
        onChange={(customPrefix) => change({ customPrefix })}
        error={fieldMessage(problem, "customPrefix")}
        longest={maxPrefixLength}
        hint={prefixHint}
      />
      <FieldGroup
        title="Delivery"
        isOpenAtFirst={group === undefined}
        hint={values.forwardTo}
        problem={problemIn(problem, ["forwardTo", "alsoTo", "destinations", "keptInApp", "showCodes"])}
      >
        <ForwardToField
          before={mask.forwardTo}
          value={values.forwardTo}
          onChange={(forwardTo) => change({ forwardTo })}
          error={fieldMessage(problem, "forwardTo")}
        />
        <DestinationFields {...part} />
        <KeptInAppField {...part} />
        <ShowCodesField {...part} />
        {fields.spamFilter}
      </FieldGroup>
      <FieldGroup
        title="Who may write"
        isOpenAtFirst={values.senders !== undefined || group === "senders"}
        isWanted={group === "senders"}
        hint={sendersText(values, mask)}
        problem={problemIn(problem, ["senders"])}
      >
        <SenderFields {...part} />
        <AcceptUnprovenField {...part} />
      </FieldGroup>
      <FieldGroup
        title="Lifetime"
        isOpenAtFirst={values.expiry !== undefined || !isActive(mask)}
        hint={lifetimeText(values, mask)}
        problem={problemIn(problem, ["expiry", "whenOff", "notifyWhenOff"])}
      >
        <ExpiryFields {...part} current={mask.expiry ?? null} />
        <WhenOffFields {...part} />
      </FieldGroup>
      <FieldGroup
        title="Appearance"
        hint={values.labels.join(", ") || "No labels"}
        problem={problemIn(problem, [
          "labels",
          "note",
          "madeFor",
          "senderShown",
          "actionLinks",
          "unsubscribe",
        ])}
      >
        {fields.labels}
        {fields.note}
        <MadeForField {...part} />
        <SenderShownField {...part} />
        <ActionLinksField {...part} />
        <UnsubscribeField {...part} />
      </FieldGroup>
    </div>
  );
};
