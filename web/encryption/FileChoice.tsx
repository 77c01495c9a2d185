import { useRef } from "react";
import { Button } from "../ui/Button.tsx";

interface FileChoiceProps {
  readonly label: string;
  /** As in the `accept` attribute. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
  readonly isPending?: boolean;
}

/** Chooses a file. */
export const FileChoice = ({ label, accept, onFile, isPending = false }: FileChoiceProps) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span>
      <Button onPress={() => input.current?.click()} isPending={isPending}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
          event.currentTarget.value = "";
        }}
      />
    </span>
  );
};
