/** Elements of a mail that are shown as they are; of any other only what is in them. */
export const allowedElements = new Set(
  (
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt " +
    "em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section " +
    "small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr"
  ).split(" "),
);

/** Elements that are left out with all that is in them: they run, fetch, ask for input or change how the rest is read. */
export const droppedElements = new Set(
  (
    "applet area audio base basefont bgsound button canvas datalist dialog embed frame frameset head iframe input isindex " +
    "keygen link listing map math meta meter noembed noframes noscript object option optgroup output param picture plaintext " +
    "portal progress script select slot source style svg template textarea title track video xmp"
  ).split(" "),
);

const words = /^[^<>]{0,500}$/;
const size = /^\d{1,5}%?$/;
const color = /^#?\w{1,30}$/;
const word = /^[\w-]{1,30}$/;
const fontName = /^[\w ,'-]{1,200}$/;
const fontSize = /^[+-]?\d{1,2}$/;

/** Attributes that are kept, where their value is of this form. They say how something looks and lead nowhere. */
export const allowedAttributes: ReadonlyMap<string, RegExp> = new Map([
  ["align", word],
  ["alt", words],
  ["bgcolor", color],
  ["border", size],
  ["cellpadding", size],
  ["cellspacing", size],
  ["color", color],
  ["colspan", size],
  ["dir", word],
  ["face", fontName],
  ["height", size],
  ["lang", word],
  ["reversed", /^(?:reversed)?$/],
  ["rowspan", size],
  ["size", fontSize],
  ["start", size],
  ["type", word],
  ["valign", word],
  ["width", size],
]);
