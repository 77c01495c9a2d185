import { useState } from "react";
import { TextArea } from "../../../ui/form/TextArea.tsx";

/** Reads addresses and domains that are typed with lines, spaces, commas or semicolons between them, each once. */
const parseAddresses = (typed: string): readonly string[] => [
  ...new Set(typed.split(/[\s,;]+/).filter((one) => one !== "")),
];

interface AddressLinesProps {
  readonly label: string;
  readonly addresses: readonly string[];
  readonly onChange: (addresses: readonly string[]) => void;
  readonly description: string;
  readonly error: string | undefined;
}

/** Edits addresses and domains as lines of text. */
export const AddressLines = ({ label, addresses, onChange, description, error }: AddressLinesProps) => {
  const [typed, setTyped] = useState(addresses.join("\n"));
  return (
    <TextArea
      label={label}
      rows={3}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(parseAddresses(text));
      }}
      description={description}
      error={error}
      isMonospace
    />
  );
};
