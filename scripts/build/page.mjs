// web/index.html with the names of this build in it.
import { basename } from "node:path";

const url = (file) => `/assets/${basename(file)}`;

/**
 * Puts the hashed names where the page asks for them: `%THEME%`, `%STYLES%`, `%MAIN%` (each exactly once, as the
 * value of an attribute), what the signed-in page loads for the theme script to preload, and modulepreload links for `preload` before `</head>`.
 */
export const pageWith = (html, { theme, styles, main, preload, firstScreen = [], scripts = [] }) => {
  const names = { "%THEME%": theme, "%STYLES%": styles, "%MAIN%": main };
  for (const place of Object.keys(names))
    if (html.split(place).length !== 2) throw new Error(`web/index.html must contain ${place} exactly once`);
  const links = [
    ...preload.map((file) => `<link rel="modulepreload" href="${url(file)}">`),
    ...scripts.map((src) => `<script src="${src}" defer></script>`),
  ];
  return Object.entries(names)
    .reduce((page, [place, file]) => page.replace(place, url(file)), html)
    .replace("%FIRST_SCREEN%", firstScreen.map(url).join(" "))
    .replace("</head>", `${links.map((link) => `  ${link}\n  `).join("")}</head>`);
};
