/** The setter of the browser itself: frameworks put their own before it on the element. */
const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;

/**
 * Writes a text into a field as if it was typed, with the events that pages listen to. The focus stays where it is: the user may
 * be typing elsewhere by now.
 */
export const writeText = (field: HTMLInputElement, text: string): void => {
  setValue?.call(field, text);
  field.dispatchEvent(
    new InputEvent("input", {
      bubbles: true,
      composed: true,
      inputType: "insertReplacementText",
      data: text,
    }),
  );
  field.dispatchEvent(new Event("change", { bubbles: true }));
};

/** Returns the boxes of one character each that a code is typed into, from this one on; the field alone where it is whole. */
const boxesFrom = (field: HTMLInputElement): readonly HTMLInputElement[] => {
  if (field.maxLength !== 1) return [field];
  const around = field.form ?? field.parentElement?.parentElement ?? field.parentElement;
  const boxes = [...(around?.querySelectorAll<HTMLInputElement>("input[maxlength='1']") ?? [field])];
  const open = boxes.filter((box) => !box.disabled && !box.readOnly && box.type === field.type);
  const at = open.indexOf(field);
  return at < 0 ? [field] : open.slice(at);
};

/** Writes a code into the field that has the focus, or from there on into the boxes of its characters. */
export const writeCode = (field: HTMLInputElement, code: string): void => {
  const boxes = boxesFrom(field);
  const parts = boxes.length === 1 ? [code] : [...code].slice(0, boxes.length);
  for (const [n, part] of parts.entries()) {
    const box = boxes[n];
    box?.focus();
    if (box !== undefined) writeText(box, part);
  }
};
