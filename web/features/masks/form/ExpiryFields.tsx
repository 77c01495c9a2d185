import { useState } from "react";
import type { Problem } from "../../../../core/api/errorMessages.ts";
import { heldDays } from "../../../../core/held/heldMail.ts";
import type { MaskDraft } from "../../../../core/masks/maskDraft.ts";
import type { Expiry, ExpiryAction } from "../../../../core/masks/maskExpiry.ts";
import { trashDays } from "../../../../core/trash/trashEndpoints.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { Checkbox } from "../../../ui/form/Checkbox.tsx";
import { Select, type SelectOption } from "../../../ui/form/Select.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";

interface ExpiryFieldsProps {
  readonly values: MaskDraft;
  readonly change: (part: Partial<MaskDraft>) => void;
  readonly problem: Problem | null;
  /** The expiry of the mask that is edited; null without one. */
  readonly current: Expiry | null;
}

const actionOptions: readonly SelectOption<ExpiryAction>[] = [
  { value: "disable", label: "Switch the mask off" },
  {
    value: "hold",
    label: "Hold its mail",
    description: `You release or delete it, within ${heldDays} days.`,
  },
  { value: "delete", label: "Delete the mask", description: `For ${trashDays} days you can restore it.` },
];

/** The fields as typed. */
interface Typed {
  /** The last day of the mask, "2026-11-22" in the local time zone. */
  readonly date: string;
  readonly mails: string;
  readonly days: string;
  readonly firstSender: boolean;
  readonly action: ExpiryAction;
}

/** A mask expires when its last day ends. */
const toDate = (at: number | undefined): string => {
  if (at === undefined) return "";
  const day = new Date(at - 1);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};

const toTime = (date: string): number => {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, day + 1).getTime();
};

const toTyped = (expiry: Expiry | null): Typed => ({
  date: toDate(expiry?.at),
  mails: String(expiry?.mails ?? ""),
  days: String(expiry?.idleDays ?? ""),
  firstSender: expiry?.firstSender ?? false,
  action: expiry?.then ?? "disable",
});

const toExpiry = ({ date, mails, days, firstSender, action }: Typed): Expiry | null =>
  date === "" && mails === "" && days === "" && !firstSender
    ? null
    : {
        ...(date === "" ? {} : { at: toTime(date), lastDay: date }),
        ...(mails === "" ? {} : { mails: Number(mails) }),
        ...(days === "" ? {} : { idleDays: Number(days) }),
        ...(firstSender ? { firstSender } : {}),
        // biome-ignore lint/suspicious/noThenProperty: the contract's name
        then: action,
      };

const digits = (text: string): string => text.replace(/\D/g, "").slice(0, 6);

/** The fields for the end of a mask: it expires by the first of the conditions that are filled in. */
export const ExpiryFields = ({ values, change, problem, current }: ExpiryFieldsProps) => {
  const [typed, setTyped] = useState(toTyped(values.expiry === undefined ? current : values.expiry));
  const edit = (part: Partial<Typed>): void => {
    const next = { ...typed, ...part };
    setTyped(next);
    change({ expiry: toExpiry(next) });
  };
  return (
    <>
      <TextField
        label="Expires at the end of"
        type="date"
        value={typed.date}
        onChange={(date) => edit({ date })}
        error={fieldMessage(problem, "expiry.at")}
      />
      <TextField
        label="Expires after emails"
        inputMode="numeric"
        value={typed.mails}
        onChange={(mails) => edit({ mails: digits(mails) })}
        error={fieldMessage(problem, "expiry.mails")}
        autoComplete="off"
      />
      <TextField
        label="Expires after days without mail"
        inputMode="numeric"
        value={typed.days}
        onChange={(days) => edit({ days: digits(days) })}
        error={fieldMessage(problem, "expiry.idleDays")}
        autoComplete="off"
      />
      <Checkbox
        label="Lock to the first sender"
        isChecked={typed.firstSender}
        onChange={(firstSender) => edit({ firstSender })}
        description="Only the sender of the first email may write. Other mail is refused, or held if you choose that below."
      />
      {toExpiry(typed) !== null && (
        <Select
          label="What happens then"
          options={actionOptions}
          value={typed.action}
          onChange={(action) => edit({ action })}
          error={fieldMessage(problem, "expiry")}
        />
      )}
    </>
  );
};
