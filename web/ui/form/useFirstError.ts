import { type RefObject, useEffect } from "react";

/** Invalid controls, and error texts about a group of controls. */
const wrongFields = '[aria-invalid="true"], [data-invalid="true"] button, [data-complaint]';

/** Moves the focus to the first wrong field inside an element whenever `problem` is another one. */
export const useFirstError = (form: RefObject<HTMLElement | null>, problem: object | null): void => {
  useEffect(() => {
    if (problem !== null) form.current?.querySelector<HTMLElement>(wrongFields)?.focus();
  }, [form, problem]);
};
