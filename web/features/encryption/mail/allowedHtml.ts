/** Elements that are kept; of all other elements only the content is kept. */
export const allowedElements = new Set(
  (
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt " +
    "em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section " +
    "small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr"
  ).split(" "),
);

/** Elements that are removed with their content, because they run, load, take input or change how the rest is parsed. */
export const droppedElements = new Set(
  (
    "applet area audio base basefont bgsound button canvas datalist dialog embed frame frameset head iframe input isindex " +
    "keygen link listing map math meta meter noembed noframes noscript object option optgroup output param picture plaintext " +
    "portal progress script select slot source style svg template textarea title track video xmp"
  ).split(" "),
);

const freeText = /^[^<>]{0,500}$/;
const size = /^\d{1,5}%?$/;
const color = /^#?\w{1,30}$/;
const keyword = /^[\w-]{1,30}$/;
const fontName = /^[\w ,'-]{1,200}$/;
const fontSize = /^[+-]?\d{1,2}$/;

/** Attributes that are kept when their value matches; all of them are presentational and none holds a URL. */
export const allowedAttributes: ReadonlyMap<string, RegExp> = new Map([
  ["align", keyword],
  ["alt", freeText],
  ["bgcolor", color],
  ["border", size],
  ["cellpadding", size],
  ["cellspacing", size],
  ["color", color],
  ["colspan", size],
  ["dir", keyword],
  ["face", fontName],
  ["height", size],
  ["lang", keyword],
  ["reversed", /^(?:reversed)?$/],
  ["rowspan", size],
  ["size", fontSize],
  ["start", size],
  ["type", keyword],
  ["valign", keyword],
  ["width", size],
]);

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
