/** Parameters that say who clicked where, and nothing the page needs. */
const trackingParameter =
  /^(?:utm_\w+|mc_[ce]id|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|igshid|_hs(?:enc|mi)|mkt_tok|vero_(?:id|conv)|oly_(?:enc|anon)_id|wickedid|rb_clickid|s_cid|ml_subscriber(?:_hash)?|__s|_openstat|ck_subscriber_id|_kx|trk_\w+|elqtrack\w*)$/i;

/** Parts of a path that say that this address only counts a click and sends on. */
const redirector =
  /\/(?:click|clicks|ck|ls\/click|track|trk|tracking|redirect|redir|r|out|goto|url|l\.php|f\/a)(?:[/.?]|$)/i;

/** Where such an address says what it leads to. */
const targetParameter = /^(?:url|u|q|to|target|dest|destination|redirect|redirect_?ur[il]|link|goto|r)$/i;

const ampersand = /&amp;|&#38;|&/g;

interface Address {
  readonly path: string;
  readonly parameters: readonly string[];
  /** As it was written between parameters. */
  readonly separator: string;
  readonly fragment: string;
}

const taken = (href: string): Address => {
  const hash = href.search(/(?<!&)#/);
  const [rest, fragment] = hash === -1 ? [href, ""] : [href.slice(0, hash), href.slice(hash)];
  const mark = rest.indexOf("?");
  const query = mark === -1 ? "" : rest.slice(mark + 1);
  return {
    path: mark === -1 ? rest : rest.slice(0, mark),
    parameters: query === "" ? [] : query.split(ampersand),
    separator: query.match(ampersand)?.[0] ?? "&",
    fragment,
  };
};

const nameOf = (parameter: string): string => parameter.split("=", 1)[0] ?? "";

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
};

/** Where a redirector leads, when it says so in clear. */
const targetOf = ({ path, parameters }: Address): string | null => {
  if (!redirector.test(path.replace(/^https?:\/\/[^/]*/i, ""))) return null;
  for (const parameter of parameters) {
    const name = nameOf(parameter);
    if (!targetParameter.test(name)) continue;
    const target = decoded(parameter.slice(name.length + 1));
    if (target !== null && /^https?:\/\/[^\s"'<>]+$/i.test(target)) return target.replaceAll("&", "&amp;");
  }
  return null;
};

const deepest = 3;

/** The address of a link without what follows its reader, as it stands in HTML; unchanged where nothing does. */
export const untrackedLink = (href: string, depth = 0): string => {
  if (!/^\s*https?:\/\//i.test(href)) return href;
  const address = taken(href);
  const target = depth < deepest ? targetOf(address) : null;
  if (target !== null) return untrackedLink(target, depth + 1);
  const { path, parameters, separator, fragment } = address;
  const kept = parameters.filter((parameter) => !trackingParameter.test(nameOf(parameter)));
  if (kept.length === parameters.length) return href;
  return `${path}${kept.length === 0 ? "" : `?${kept.join(separator)}`}${fragment}`;
};
