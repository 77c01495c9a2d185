import { useEffect, useRef, useState } from "react";

/** A file that was chosen or dropped, on its way to its content. */
export interface ReadFile {
  readonly take: (file: File) => void;
  /** Why the file chosen last gave nothing; undefined when it did. */
  readonly error: string | undefined;
  /** Something else is said in its stead: it counts no longer. */
  readonly forget: () => void;
}

/** Reads what is chosen; of two files the later counts, whichever is read first. */
export const useFile = <A>(
  read: (file: File) => Promise<A>,
  onRead: (content: A, file: File) => void,
): ReadFile => {
  const [isUnread, setUnread] = useState(false);
  const latest = useRef<File | null>(null);
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );
  const take = (file: File): void => {
    latest.current = file;
    setUnread(false);
    read(file).then(
      (content) => {
        if (latest.current === file) onRead(content, file);
      },
      () => {
        if (latest.current === file) setUnread(true);
      },
    );
  };
  const forget = (): void => {
    latest.current = null;
    setUnread(false);
  };
  return {
    take,
    forget,
    error: isUnread ? "This file could not be read. Please choose it again." : undefined,
  };
};
