import { escapeHtml } from "../../core/contract/htmlEscaped.ts";

/** HTML that is ready to be sent: whatever came from outside has been escaped on its way into it. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html | readonly Html[];

const written = (value: Value): string => {
  if (typeof value !== "object") return escapeHtml(String(value));
  return "html" in value ? value.html : value.map((part) => part.html).join("");
};

/** Writes HTML from a template: texts and numbers put into it are escaped, HTML is taken as it is. */
export const html = (texts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: texts.reduce((whole, text, index) => `${whole}${written(values[index - 1] ?? "")}${text}`),
});

export const noHtml: Html = { html: "" };
