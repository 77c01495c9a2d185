import { escapeHtml } from "../../core/api/textCodecs.ts";

/** One part of a system mail, in reading order. */
export type MailPart =
  | { readonly kind: "paragraph" | "code" | "note"; readonly text: string }
  | ({ readonly kind: "link" } & Link)
  /** A mail that the system mail is about, and what can be done with it. */
  | {
      readonly kind: "mail";
      readonly title: string;
      readonly facts: readonly string[];
      readonly links: readonly Link[];
    };

interface Link {
  readonly label: string;
  readonly url: string;
}

const sans = "-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif";
const mono = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace";

const styles: Readonly<Record<MailPart["kind"], string>> = {
  paragraph: `margin:0 0 16px;overflow-wrap:anywhere;word-break:break-word;font-variant-ligatures:no-contextual;font:16px/1.5 ${sans};color:#1a1a1e`,
  note: `margin:0 0 8px;font:14px/1.5 ${sans};color:#56555b`,
  code: `margin:0 0 24px;padding:16px;border-radius:8px;background:#f2f1ed;text-align:center;font:600 32px/1.2 ${mono};letter-spacing:6px;color:#1a1a1e`,
  mail: `margin:0 0 4px;overflow-wrap:anywhere;word-break:break-word;font:600 16px/1.5 ${sans};color:#1a1a1e`,
  link: `display:inline-block;margin:0 0 24px;padding:12px 20px;border-radius:8px;background:#1a1a1e;font:600 16px/1.2 ${sans};color:#ffffff;text-decoration:none`,
};

const darkStyles = `
@media (prefers-color-scheme: dark) {
  .ground { background: #0e0f12 !important; }
  .card { background: #16171b !important; border-color: #26282e !important; }
  .paragraph, .brand, .mail { color: #edece8 !important; }
  .note { color: #aeadb3 !important; }
  .code { background: #0e0f12 !important; color: #edece8 !important; }
  .choice { color: #74c9dc !important; }
  .link { background: #edece8 !important; color: #16171b !important; }
}`;

const choiceStyle = `display:inline-block;margin:0 16px 0 0;padding:8px 0;font:600 15px/1.4 ${sans};color:#0b6074`;

const renderLink = (kind: "link" | "choice", style: string, { label, url }: Link): string =>
  `<a class="${kind}" href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`;

const renderPart = (part: MailPart): string => {
  switch (part.kind) {
    case "link":
      return renderLink("link", styles.link, part);
    case "mail":
      return [
        `<p class="mail" style="${styles.mail}">${escapeHtml(part.title)}</p>`,
        `<p class="note" style="${styles.note};overflow-wrap:anywhere">${part.facts.map(escapeHtml).join("<br>")}</p>`,
        `<p style="margin:0 0 24px">${part.links.map((link) => renderLink("choice", choiceStyle, link)).join(" ")}</p>`,
      ].join("\n");
    case "paragraph":
    case "code":
    case "note":
      return `<p class="${part.kind}" style="${styles[part.kind]}">${escapeHtml(part.text)}</p>`;
  }
};

/** Renders the HTML version: one card, in light and dark colors, without external resources. */
export const renderHtml = (brand: string, parts: readonly MailPart[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(brand)}</title>
<style>:root { color-scheme: light dark; }${darkStyles}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f6f5f2">
<div role="main"><table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f5f2"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;table-layout:fixed"><tr><td class="card" style="padding:32px;border:1px solid #e6e4de;border-radius:12px;background:#ffffff">
<h1 class="brand" style="margin:0 0 24px;font:600 18px/1.2 ${sans};color:#1a1a1e">${escapeHtml(brand)}</h1>
${parts.map(renderPart).join("\n")}
</td></tr></table>
</td></tr></table></div>
</body>
</html>
`;

const renderTextPart = (part: MailPart): string => {
  switch (part.kind) {
    case "link":
      return `${part.label}:\n${part.url}`;
    case "mail":
      return [part.title, ...part.facts, ...part.links.map(({ label, url }) => `${label}: ${url}`)].join(
        "\n",
      );
    case "paragraph":
    case "code":
    case "note":
      return part.text;
  }
};

/** Renders the plain-text version. */
export const renderText = (parts: readonly MailPart[]): string =>
  `${parts.map(renderTextPart).join("\n\n")}\n`;
