import type { FieldFacts } from "./fieldKind.ts";

/** The most characters that are read of one text of a field; a page may write any number. */
const maxText = 200;
const maxLabels = 3;

/** The marks by which pages and password managers ask programs to leave a field alone. */
const ignoreMarks = ["data-1p-ignore", "data-bwignore", "data-lpignore", "data-protonpass-ignore"];

/** The fields in the parts that password managers add to pages. */
const managerParts = /^(?:com-1password|proton-pass|bitwarden|lastpass|dashlane|keeper|nordpass)-/i;

/** Returns a text in lower case without accents, for comparing. */
const plain = (text: string | null | undefined): string =>
  (text ?? "")
    .slice(0, maxText)
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();

const labelsOf = (field: HTMLInputElement): readonly (string | null)[] => {
  const named = (field.getAttribute("aria-labelledby") ?? "")
    .slice(0, maxText)
    .split(/\s+/)
    .slice(0, maxLabels);
  const root = field.getRootNode() as Document | ShadowRoot;
  return [
    ...[...(field.labels ?? [])].slice(0, maxLabels),
    ...named.map((id) => (id === "" ? null : root.getElementById(id))),
  ].map((element) => element?.textContent ?? null);
};

/** True if a program may write into a field, by the page's and the browser's word. */
export const isOpenField = (field: HTMLInputElement): boolean => {
  if (field.disabled || field.readOnly || field.multiple) return false;
  if (ignoreMarks.some((mark) => field.hasAttribute(mark) && field.getAttribute(mark) !== "false"))
    return false;
  const root = field.getRootNode();
  return !(root instanceof ShadowRoot && managerParts.test(root.host.localName));
};

/** Reads what a field says of itself. */
export const factsOf = (field: HTMLInputElement): FieldFacts => ({
  type: field.type,
  autocomplete: plain(field.getAttribute("autocomplete")).split(/\s+/).filter(Boolean),
  words: [
    field.name,
    field.id,
    field.placeholder,
    field.getAttribute("aria-label"),
    field.title,
    ...labelsOf(field),
  ]
    .map((text) => plain(text?.slice(0, maxText).replace(/([a-z])([A-Z])/g, "$1 $2")))
    .join("\n"),
  maxLength: field.maxLength,
});
