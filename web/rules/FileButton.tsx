import { useRef } from "react";
import { Button } from "../ui/Button.tsx";

/** Chooses a mail that was saved as a file. */
export const FileButton = ({ onFile }: { readonly onFile: (file: File) => void }) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span>
      <Button size="small" onPress={() => input.current?.click()}>
        Choose an .eml file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".eml,message/rfc822,text/plain"
        hidden
        aria-label="Mail file"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
          event.currentTarget.value = "";
        }}
      />
    </span>
  );
};
