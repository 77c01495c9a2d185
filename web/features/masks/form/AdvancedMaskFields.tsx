import { useState } from "react";
import type { Problem } from "../../../../core/api/errorMessages.ts";
import { heldDays } from "../../../../core/held/heldMail.ts";
import type { MaskSenderShown } from "../../../../core/mail/forwardedFrom.ts";
import { isActive, type Mask, maxDestinations, type WhenOff } from "../../../../core/masks/mask.ts";
import type { MaskDraft } from "../../../../core/masks/maskDraft.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { Checkbox } from "../../../ui/form/Checkbox.tsx";
import { Select, type SelectOption } from "../../../ui/form/Select.tsx";
import body from "../../../ui/layout/DialogBody.module.css";
import { DomainFields } from "../../domains/DomainFields.tsx";
import { AddressLines } from "./AddressLines.tsx";
import styles from "./AdvancedMaskFields.module.css";
import { ExpiryFields } from "./ExpiryFields.tsx";
import { FormatFields } from "./FormatFields.tsx";
import { SenderFields } from "./SenderFields.tsx";

interface AdvancedFieldsProps {
  readonly values: MaskDraft;
  readonly change: (part: Partial<MaskDraft>) => void;
  readonly problem: Problem | null;
  /** The mask that is edited; absent for a new one. */
  readonly mask?: Mask | undefined;
}

const senderOptions = (description: string): readonly SelectOption<MaskSenderShown>[] => [
  { value: "account", label: "As in Settings", description: "The choice for all masks." },
  { value: "full", label: "Name and address", description: "Ada - ada at shop.example" },
  { value: "mask", label: "Name and description", description: `Ada (${description.trim() || "Shop"})` },
  { value: "address", label: "Address only", description: "ada at shop.example" },
];

const whenOffOptions: readonly SelectOption<WhenOff>[] = [
  { value: "refuse", label: "Refuse mail", description: "Its sender is told." },
  { value: "drop", label: "Take and drop mail", description: "Its sender is told nothing." },
  { value: "hold", label: "Hold mail", description: `You release or delete it, within ${heldDays} days.` },
];

const WhenOffFields = ({ values, change, problem }: AdvancedFieldsProps) => (
  <>
    <Select
      label="While it is switched off"
      options={whenOffOptions}
      value={values.whenOff ?? "refuse"}
      onChange={(whenOff) => change({ whenOff })}
      error={fieldMessage(problem, "whenOff")}
    />
    {values.whenOff !== "hold" && (
      <Checkbox
        label="Tell me when mail comes while it is switched off"
        isChecked={values.notifyWhenOff ?? false}
        onChange={(notifyWhenOff) => change({ notifyWhenOff })}
        description="At most once a day. Held mail is always told."
      />
    )}
  </>
);

/** Where the mail goes besides the first destination. */
const DestinationFields = ({ values, change, problem, mask }: AdvancedFieldsProps) => (
  <AddressLines
    label="Also forward to"
    addresses={values.alsoTo ?? mask?.destinations?.slice(1) ?? []}
    onChange={(alsoTo) => change({ alsoTo })}
    description={`One address a line, at most ${maxDestinations - 1}. One that is not yours yet gets a mail with a link to confirm it.`}
    error={
      problem?.fields.find(({ field }) => field.startsWith("alsoTo") || field.startsWith("destinations"))
        ?.message
    }
  />
);

const ownFields = [
  "format",
  "domain",
  "localPart",
  "alsoTo",
  "destinations",
  "expiry",
  "senders",
  "senderShown",
  "whenOff",
  "notifyWhenOff",
];

/** Whether an error belongs to a field of this part of the form. */
const hasProblem = (problem: Problem | null): boolean =>
  problem?.fields.some(({ field }) => ownFields.some((own) => field.startsWith(own))) ?? false;

/** The settings of a mask that few masks need, closed until they are asked for. */
export const AdvancedMaskFields = (props: AdvancedFieldsProps) => {
  const { values, problem, mask } = props;
  const [isAsked, setAsked] = useState(
    values.senders !== undefined ||
      values.alsoTo !== undefined ||
      values.format !== undefined ||
      values.domain !== undefined ||
      values.expiry !== undefined ||
      (mask !== undefined && !isActive(mask)),
  );
  const isOpen = isAsked || hasProblem(problem);
  return (
    <details open={isOpen} onToggle={(event) => setAsked(event.currentTarget.open)}>
      <summary className={styles.summary}>More settings</summary>
      {isOpen && (
        <div className={body.stack}>
          {mask === undefined && (
            <>
              <DomainFields {...props} />
              {values.localPart === undefined && (
                <FormatFields
                  label="Its address"
                  format={values.format}
                  onChange={(format) => props.change({ format })}
                  hasAccountChoice
                  error={fieldMessage(problem, "format")}
                />
              )}
            </>
          )}
          <DestinationFields {...props} />
          <ExpiryFields {...props} current={mask?.expiry ?? null} />
          <SenderFields {...props} />
          <Checkbox
            label="Accept unproven mail"
            isChecked={values.acceptUnproven ?? false}
            onChange={(acceptUnproven) => props.change({ acceptUnproven })}
            description="Forwards mail without a warning even if its sender is not proven (SPF, DKIM, DMARC)."
          />
          <Select
            label="Show its senders as"
            options={senderOptions(values.description)}
            value={values.senderShown ?? "account"}
            onChange={(senderShown) => props.change({ senderShown })}
            error={fieldMessage(problem, "senderShown")}
          />
          <WhenOffFields {...props} />
        </div>
      )}
    </details>
  );
};
