import { type Ref, useEffect, useId, useRef, useState } from "react";
import { Button, type ButtonSize } from "./Button.tsx";
import field from "./form/Field.module.css";
import { describedBy, FieldNotes } from "./form/FieldNotes.tsx";

export interface FileButtonProps {
  readonly label: string;
  readonly accept: string;
  readonly onFile: (file: File) => void;
  readonly error?: string | undefined;
  readonly size?: ButtonSize | undefined;
  readonly isPending?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

/** A button that opens the file chooser. The same file can be chosen again, because it may have changed. */
export const FileButton = ({ label, accept, onFile, error, ...button }: FileButtonProps) => {
  const fieldId = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={field.field}>
      <div>
        <Button
          {...button}
          onPress={() => input.current?.click()}
          aria-describedby={describedBy(fieldId, undefined, error)}
        >
          {label}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
          event.currentTarget.value = "";
        }}
      />
      <FieldNotes fieldId={fieldId} error={error} />
    </div>
  );
};

/** The state of reading a chosen or dropped file. */
export interface FileReading {
  readonly readFile: (file: File) => void;
  /** The reason for which the last file could not be read; undefined when it could. */
  readonly error: string | undefined;
  readonly reset: () => void;
}

/** Reads chosen files by `read` and passes the content to `onRead`. Only the latest file counts, whichever is read first. */
export const useFileReader = <A,>(
  read: (file: File) => Promise<A>,
  onRead: (content: A, file: File) => void,
): FileReading => {
  const [hasFailed, setFailed] = useState(false);
  const latest = useRef<File | null>(null);
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );
  const readFile = (file: File): void => {
    latest.current = file;
    setFailed(false);
    read(file).then(
      (content) => {
        if (latest.current === file) onRead(content, file);
      },
      () => {
        if (latest.current === file) setFailed(true);
      },
    );
  };
  const reset = (): void => {
    latest.current = null;
    setFailed(false);
  };
  return {
    readFile,
    reset,
    error: hasFailed ? "This file could not be read. Choose it again." : undefined,
  };
};

/** The time for which the object URL stays valid, so that the browser can start the download. */
const urlLifetimeMs = 10_000;

/** Downloads a file by the browser. */
export const saveFile = (
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  type = "text/plain",
): void => {
  const mediaType = typeof content === "string" ? `${type};charset=utf-8` : type;
  const url = URL.createObjectURL(new Blob([content], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMs);
};
