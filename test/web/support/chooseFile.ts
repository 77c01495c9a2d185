import { screen } from "@testing-library/react";
import type { OpenPage } from "./openPage.tsx";

/** Presses a button that opens the file dialog of the system, and selects this file in it. */
export const chooseFile = async (
  { user, act }: Pick<OpenPage, "user" | "act">,
  button: string,
  file: File,
): Promise<void> => {
  let opened: HTMLInputElement | undefined;
  const open = (event: Event): void => {
    if (event.target instanceof HTMLInputElement && event.target.type === "file") opened = event.target;
  };
  document.addEventListener("click", open, { capture: true });
  await user.click(screen.getByRole("button", { name: button }));
  document.removeEventListener("click", open, { capture: true });
  if (opened === undefined) throw new Error(`"${button}" opens no choice of files`);
  await user.upload(opened, file);
  await act(() => {});
};

/** Creates a file whose content cannot be read, as after it was deleted or its permissions changed. */
export const unreadableFile = (name: string): File => {
  const refuse = () => Promise.reject(new DOMException("The file could not be read", "NotReadableError"));
  const file = Object.assign(new File(["?"], name), { text: refuse, arrayBuffer: refuse });
  return Object.assign(file, { slice: () => file });
};
