import type { Problem } from "../../../../core/api/errorMessages.ts";
import { codeLimits } from "../../../../core/codes/codeEndpoints.ts";
import { heldDays } from "../../../../core/held/heldMail.ts";
import type { MaskActionLinkPlace } from "../../../../core/mail/actionLinkPlace.ts";
import type { MaskSenderShown } from "../../../../core/mail/forwardedFrom.ts";
import { daysKept, type KeptInApp } from "../../../../core/mail/keptInApp.ts";
import type { MaskUnsubscribeMode } from "../../../../core/mail/unsubscribeMode.ts";
import { type Mask, maxDestinations, type WhenOff } from "../../../../core/masks/mask.ts";
import type { MaskDraft } from "../../../../core/masks/maskDraft.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { Checkbox } from "../../../ui/form/Checkbox.tsx";
import { Select, type SelectOption } from "../../../ui/form/Select.tsx";
import { actionLinkOptions } from "../../actionLinks/actionLinkOptions.ts";
import { unsubscribeOptions } from "../../unsubscribe/unsubscribeOptions.ts";
import { AddressLines } from "./AddressLines.tsx";

/** The props of each part of the form of a mask. */
export interface MaskPartProps {
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

const maskLinkOptions: readonly SelectOption<MaskActionLinkPlace>[] = [
  { value: "account", label: "As in Settings", description: "The choice for all masks." },
  ...actionLinkOptions,
];

const maskUnsubscribeOptions: readonly SelectOption<MaskUnsubscribeMode>[] = [
  { value: "account", label: "As in Settings", description: "The choice for all masks." },
  ...unsubscribeOptions,
];

const keptOptions: readonly SelectOption<KeptInApp>[] = [
  { value: "no", label: "Is forwarded", description: "To your inbox." },
  {
    value: "yes",
    label: "Stays in the app",
    description: "Encrypted to your key, as long as your plan keeps it.",
  },
  ...(["7-days", "30-days", "365-days"] as const).map((value) => ({
    value,
    label: `Stays in the app for ${daysKept(value)} days`,
    description: "Then it is deleted.",
  })),
];

const whenOffOptions: readonly SelectOption<WhenOff>[] = [
  { value: "refuse", label: "Refuse mail", description: "The sender is notified." },
  { value: "drop", label: "Accept and drop mail", description: "The sender is not notified." },
  { value: "hold", label: "Hold mail", description: `You release or delete it, within ${heldDays} days.` },
];

/** The choice of what happens to mail while the mask is switched off. */
export const WhenOffFields = ({ values, change, problem }: MaskPartProps) => (
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
        label="Notify me of mail while the mask is switched off"
        isChecked={values.notifyWhenOff ?? false}
        onChange={(notifyWhenOff) => change({ notifyWhenOff })}
        description="At most once a day. You are always told of held mail."
      />
    )}
  </>
);

/** The destinations besides the first. */
export const DestinationFields = ({ values, change, problem, mask }: MaskPartProps) => (
  <AddressLines
    label="Also forward to"
    addresses={values.alsoTo ?? mask?.destinations?.slice(1) ?? []}
    onChange={(alsoTo) => change({ alsoTo })}
    description={`One address per line, at most ${maxDestinations - 1}. A new address gets an email with a link to confirm it.`}
    error={
      problem?.fields.find(({ field }) => field.startsWith("alsoTo") || field.startsWith("destinations"))
        ?.message
    }
  />
);

/** The choice whether its mail stays in the app instead of being forwarded. */
export const KeptInAppField = ({ values, change, problem }: MaskPartProps) => (
  <Select
    label="Its mail"
    options={keptOptions}
    value={values.keptInApp ?? "no"}
    onChange={(keptInApp) => change({ keptInApp })}
    error={fieldMessage(problem, "keptInApp")}
  />
);

/** The box that has the codes in its mail shown. */
export const ShowCodesField = ({ values, change }: MaskPartProps) => (
  <Checkbox
    label="Show codes at once"
    isChecked={values.showCodes ?? false}
    onChange={(showCodes) => change({ showCodes })}
    description={`One-time codes and confirmation links stand here for ${codeLimits.minutes} minutes, to copy. The server reads each email for that, before it is encrypted for you.`}
  />
);

/** The choice of how the senders of its mail are shown. */
export const SenderShownField = ({ values, change, problem }: MaskPartProps) => (
  <Select
    label="Show senders as"
    options={senderOptions(values.description)}
    value={values.senderShown ?? "account"}
    onChange={(senderShown) => change({ senderShown })}
    error={fieldMessage(problem, "senderShown")}
  />
);

/** The choice of where its mail has links that act on the mask. */
export const ActionLinksField = ({ values, change, problem }: MaskPartProps) => (
  <Select
    label="Links in its email"
    options={maskLinkOptions}
    value={values.actionLinks ?? "account"}
    onChange={(actionLinks) => change({ actionLinks })}
    error={fieldMessage(problem, "actionLinks")}
  />
);

/** The choice of what "Unsubscribe" does with its mail. */
export const UnsubscribeField = ({ values, change, problem }: MaskPartProps) => (
  <Select
    label="Unsubscribe from mailing lists"
    options={maskUnsubscribeOptions}
    value={values.unsubscribe ?? "account"}
    onChange={(unsubscribe) => change({ unsubscribe })}
    error={fieldMessage(problem, "unsubscribe")}
  />
);

/** The box that lets mail of senders who are not proven be forwarded without a warning. */
export const AcceptUnprovenField = ({ values, change }: MaskPartProps) => (
  <Checkbox
    label="Accept unproven mail"
    isChecked={values.acceptUnproven ?? false}
    onChange={(acceptUnproven) => change({ acceptUnproven })}
    description="Forwards mail without a warning even if its sender is not verified (SPF, DKIM, DMARC)."
  />
);
