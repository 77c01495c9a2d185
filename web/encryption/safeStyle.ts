/** What a mail may say about how something looks: nothing that fetches, moves out of its place or covers something. */
const allowed = new Set(
  (
    "background-color border border-bottom border-bottom-color border-bottom-style border-bottom-width border-collapse " +
    "border-color border-left border-left-color border-left-style border-left-width border-radius border-right " +
    "border-right-color border-right-style border-right-width border-spacing border-style border-top border-top-color " +
    "border-top-style border-top-width border-width color direction font font-family font-size font-style font-variant " +
    "font-weight height letter-spacing line-height list-style-type margin margin-bottom margin-left margin-right margin-top " +
    "max-width min-width padding padding-bottom padding-left padding-right padding-top text-align text-decoration " +
    "text-indent text-transform vertical-align white-space width word-break"
  ).split(" "),
);

/** Lengths, colours, names and numbers; of functions only those that make a colour. */
const value = /^(?:[\w\s#%.,'"+-]|\b(?:rgb|rgba|hsl|hsla)\([\d\s.,%/-]*\)){1,200}$/i;

const longestStyle = 5_000;

/** The declarations of a style attribute that may be shown, as a stylesheet writes them; empty where there is none. */
export const safeStyle = (style: string): string =>
  style
    .slice(0, longestStyle)
    .split(";")
    .flatMap((declaration) => {
      const colon = declaration.indexOf(":");
      const name = declaration.slice(0, colon).trim().toLowerCase();
      const said = declaration
        .slice(colon + 1)
        .replace(/!\s*important\s*$/i, "")
        .trim();
      return colon > 0 && allowed.has(name) && value.test(said) ? [`${name}:${said}`] : [];
    })
    .join(";");
