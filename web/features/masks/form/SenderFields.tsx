import type { Problem } from "../../../../core/api/errorMessages.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import type { MaskDraft } from "../../../../core/masks/maskDraft.ts";
import { everybody, type SenderMode, type SendersEdit } from "../../../../core/senders/maskSenders.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { Select, type SelectOption } from "../../../ui/form/Select.tsx";
import { AddressLines } from "./AddressLines.tsx";

const sendersOf = (values: MaskDraft, mask: Mask | undefined) => ({
  ...everybody,
  ...mask?.senders,
  ...values.senders,
});

const modeOptions: readonly SelectOption<SenderMode>[] = [
  { value: "all", label: "Everybody" },
  {
    value: "contacts",
    label: "Its correspondents",
    description: "People it has exchanged mail with. Other mail is refused.",
  },
  { value: "listed", label: "Allowed senders", description: "Senders on the list. Other mail is refused." },
  {
    value: "approve",
    label: "Those I approve",
    description: "Other mail is held until you release it or allow its sender.",
  },
];

/** Says in short who may write to a mask. */
export const sendersText = (values: MaskDraft, mask: Mask | undefined): string => {
  const { mode, allow, block } = sendersOf(values, mask);
  const label = modeOptions.find(({ value }) => value === mode)?.label ?? "";
  const counts = [
    mode !== "all" && allow.length > 0 && `${allow.length} allowed`,
    block.length > 0 && `${block.length} blocked`,
  ];
  return [label, ...counts].filter(Boolean).join(", ");
};

const sendersMessage = (problem: Problem | null, part: keyof SendersEdit): string | undefined =>
  problem?.fields.find(({ field }) => field === `senders.${part}` || field.startsWith(`senders.${part}.`))
    ?.message;

interface SenderFieldsProps {
  readonly values: MaskDraft;
  readonly change: (part: Partial<MaskDraft>) => void;
  readonly problem: Problem | null;
  /** The mask that is edited; absent for a new one. */
  readonly mask?: Mask | undefined;
}

/** The fields for the senders that may write to a mask, and those that may not. */
export const SenderFields = ({ values, change, problem, mask }: SenderFieldsProps) => {
  const senders = sendersOf(values, mask);
  const changeSenders = (part: SendersEdit): void => change({ senders: { ...values.senders, ...part } });
  return (
    <>
      <Select
        label="Who may write"
        options={modeOptions}
        value={senders.mode}
        onChange={(mode) => changeSenders({ mode })}
        error={sendersMessage(problem, "mode") ?? fieldMessage(problem, "senders")}
      />
      {(senders.mode !== "all" || senders.allow.length > 0) && (
        <AddressLines
          label="Allowed senders"
          addresses={senders.allow}
          onChange={(allow) => changeSenders({ allow })}
          description="One address or domain per line. A domain includes its subdomains."
          error={sendersMessage(problem, "allow")}
        />
      )}
      <AddressLines
        label="Blocked senders"
        addresses={senders.block}
        onChange={(block) => changeSenders({ block })}
        description="One address or domain per line. Mail from them is refused."
        error={sendersMessage(problem, "block")}
      />
    </>
  );
};
