import type { MaskFormat } from "../../../../core/masks/maskFormat.ts";
import { Select, type SelectOption } from "../../../ui/form/Select.tsx";

type Kind = MaskFormat["kind"];

const kindOptions: readonly SelectOption<Kind>[] = [
  { value: "letters", label: "Letters and digits", description: "k7m3x9p2qf" },
  { value: "words", label: "Words", description: "river-lamp-coat-stone" },
  { value: "uuid", label: "UUID", description: "3b1f0c52-7a94-4c0e-9d18-52e6f0a7c3b9" },
];

const lengths = { letters: [10, 12, 16, 24, 32], words: [4, 5] } as const;

interface FormatFieldsProps {
  readonly label: string;
  /** undefined for the choice of the account. */
  readonly format: MaskFormat | undefined;
  readonly onChange: (format: MaskFormat | undefined) => void;
  /** True if the format of the account can be chosen. */
  readonly hasAccountChoice?: boolean;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
}

/** Chooses what the address of a new mask is made of, and how long it is. */
export const FormatFields = ({
  label,
  format,
  onChange,
  hasAccountChoice = false,
  error,
  isDisabled = false,
}: FormatFieldsProps) => {
  const options: readonly SelectOption<Kind | "account">[] = hasAccountChoice
    ? [
        { value: "account", label: "As in Settings", description: "The choice for all new masks." },
        ...kindOptions,
      ]
    : kindOptions;
  const choose = (kind: Kind | "account"): void => {
    if (kind === "account") onChange(undefined);
    else onChange(kind === "uuid" ? { kind } : { kind, length: lengths[kind][0] });
  };
  return (
    <>
      <Select
        label={label}
        options={options}
        value={format?.kind ?? "account"}
        onChange={choose}
        error={error}
        isDisabled={isDisabled}
      />
      {format !== undefined && format.kind !== "uuid" && (
        <Select
          label={format.kind === "words" ? "Number of words" : "Number of characters"}
          options={[...new Set([...lengths[format.kind], format.length])]
            .toSorted((one, other) => one - other)
            .map((length) => ({ value: String(length), label: String(length) }))}
          value={String(format.length)}
          onChange={(length) => onChange({ ...format, length: Number(length) })}
          isDisabled={isDisabled}
        />
      )}
    </>
  );
};
