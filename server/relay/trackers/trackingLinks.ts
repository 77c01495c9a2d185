/** Parameters that identify the recipient or the campaign and that the page does not need. */
const trackingParameters =
  /^(?:utm_\w+|mc_[ce]id|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|igshid|_hs(?:enc|mi)|mkt_tok|vero_(?:id|conv)|oly_(?:enc|anon)_id|wickedid|rb_clickid|s_cid|ml_subscriber(?:_hash)?|__s|_openstat|ck_subscriber_id|_kx|trk_\w+|elqtrack\w*)$/i;

/** Paths of pages that count a click and redirect. */
const redirectPath =
  /\/(?:click|clicks|ck|ls\/click|track|trk|tracking|redirect|redir|r|out|goto|url|l\.php|f\/a)(?:[/.?]|$)/i;

/** Query parameters that contain the target of a redirect. */
const targetParameters = /^(?:url|u|q|to|target|dest|destination|redirect|redirect_?ur[il]|link|goto|r)$/i;

const ampersand = /&amp;|&#38;|&/g;

interface LinkParts {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly separator: string;
  readonly fragment: string;
}

const parseHref = (href: string): LinkParts => {
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

const parameterName = (parameter: string): string => parameter.split("=", 1)[0] ?? "";

const decodeParameter = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
};

/** The link must contain the target unencoded. */
const redirectTarget = ({ path, parameters }: LinkParts): string | null => {
  if (!redirectPath.test(path.replace(/^https?:\/\/[^/]*/i, ""))) return null;
  for (const parameter of parameters) {
    const name = parameterName(parameter);
    if (!targetParameters.test(name)) continue;
    const target = decodeParameter(parameter.slice(name.length + 1));
    if (target !== null && /^https?:\/\/[^\s"'<>]+$/i.test(target)) return target.replaceAll("&", "&amp;");
  }
  return null;
};

const maxRedirects = 3;

/** Removes tracking from the URL of a link as it is written in HTML; returns other URLs unchanged. */
export const stripTrackingFromLink = (href: string, depth = 0): string => {
  if (!/^\s*https?:\/\//i.test(href)) return href;
  const link = parseHref(href);
  const target = depth < maxRedirects ? redirectTarget(link) : null;
  if (target !== null) return stripTrackingFromLink(target, depth + 1);
  const { path, parameters, separator, fragment } = link;
  const kept = parameters.filter((parameter) => !trackingParameters.test(parameterName(parameter)));
  if (kept.length === parameters.length) return href;
  return `${path}${kept.length === 0 ? "" : `?${kept.join(separator)}`}${fragment}`;
};
