/** Elements that are kept; of all other elements only the content is kept. */
export const allowedElements: ReadonlySet<string> = new Set(
  (
    "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn " +
    "dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd legend li main " +
    "mark menu nav nobr ol p pre q rp rt ruby s samp search section small span strike strong sub summary sup table tbody td " +
    "tfoot th thead time tr tt u ul var wbr"
  ).split(" "),
);

/** Elements that are removed with their content, which browsers do not show. */
export const droppedElements: ReadonlySet<string> = new Set(
  "audio canvas datalist head iframe meter noembed noframes progress script style template textarea title video".split(
    " ",
  ),
);

/** Elements that are kept under another name, because they take input, hide their content or change how the rest is parsed. */
export const renamedElements: ReadonlyMap<string, string> = new Map([
  ["dialog", "div"],
  ["form", "div"],
  ["listing", "pre"],
  ["optgroup", "div"],
  ["option", "div"],
  ["plaintext", "pre"],
  ["xmp", "pre"],
]);

/** Attributes that are kept; all of them are presentational and none holds a URL. */
export const allowedAttributes: readonly string[] = (
  "align alt bgcolor border cellpadding cellspacing color colspan dir face height lang nowrap open reversed rowspan size " +
  "span start type valign width"
).split(" ");

/** Matches the values of kept attributes, except descriptions. */
export const presentational = /^[\w\s#%.,'+-]{0,200}$/;

/** CSS properties that a mail may set: none of them loads a resource, positions an element freely or covers other content. */
const allowedProperties = new Set(
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

/** Matches lengths, colors, names and numbers; the only functions it allows are color functions. */
const allowedValue = /^(?:[\w\s#%.,'"+-]|\b(?:rgb|rgba|hsl|hsla)\([\d\s.,%/-]*\)){1,200}$/i;

const maxStyleCharacters = 5_000;

/** Returns the allowed declarations of a style attribute as CSS; empty when there are none. */
export const sanitizeStyle = (style: string): string =>
  style
    .slice(0, maxStyleCharacters)
    .split(";")
    .flatMap((declaration) => {
      const colon = declaration.indexOf(":");
      const name = declaration.slice(0, colon).trim().toLowerCase();
      const declaredValue = declaration
        .slice(colon + 1)
        .replace(/!\s*important\s*$/i, "")
        .trim();
      return colon > 0 && allowedProperties.has(name) && allowedValue.test(declaredValue)
        ? [`${name}:${declaredValue}`]
        : [];
    })
    .join(";");
