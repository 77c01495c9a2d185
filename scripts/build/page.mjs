// web/index.html with the names of this build in it.
import { basename } from "node:path";

const url = (file) => `/assets/${basename(file)}`;

/**
 * Puts the text of the theme script and the hashed names where the page asks for them: ` src="%THEME%"`, `%STYLES%`,
 * `%MAIN%`, the drawing of the logo at `%LOGO%` (each exactly once), the `typeface` and what the signed-in page loads for
 * the theme script to preload, and `scripts` before `</head>`.
 */
export const pageWith = (
  html,
  { theme, logo, styles, main, typeface = "", firstScreen = [], scripts = [] },
) => {
  if (/<\/?script|<!--/i.test(theme)) throw new Error("web/theme.ts cannot stand inside a script element");
  const texts = {
    ' src="%THEME%">': `>${theme.trim()}`,
    "%STYLES%": url(styles),
    "%MAIN%": url(main),
    "%LOGO%": logo.replace(/\s*<title>.*<\/title>/, "").replaceAll(/\n\s*/g, ""),
  };
  for (const place of Object.keys(texts))
    if (html.split(place).length !== 2) throw new Error(`web/index.html must contain ${place} exactly once`);
  const elements = scripts.map((src) => `<script src="${src}" defer></script>`);
  return Object.entries(texts)
    .reduce((page, [place, text]) => page.replace(place, () => text), html)
    .replace("%TYPEFACE%", () => url(typeface))
    .replace("%FIRST_SCREEN%", () => firstScreen.map((file) => basename(file)).join(" "))
    .replace("</head>", () => `${elements.map((element) => `  ${element}\n  `).join("")}</head>`);
};
