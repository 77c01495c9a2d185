import * as t from "io-ts";
import { hostNameIn } from "../../core/masks/madeFor.ts";
import type { ExtensionPorts } from "../connection/connection.ts";
import type { ExtensionApi, MessageSender } from "../extensionApi.ts";
import { receiveToken } from "./receiveToken.ts";
import type { CodeAnswer, SiteCodes } from "./siteCodes.ts";
import { type MaskAnswer, maskForSite } from "./siteMask.ts";

const TokenMessage = t.type({ kind: t.literal("token"), code: t.string, token: t.string, path: t.string });

/** `isCalled`: the user has called the extension in the page. */
const messageOf = <Kind extends string>(kind: Kind) => t.type({ kind: t.literal(kind), isCalled: t.boolean });

const MaskMessage = messageOf("mask");
const CodeMessage = messageOf("code");
const UsedMessage = messageOf("used");

const notAllowed: MaskAnswer = {
  sentence: "Bauta is not allowed on this site any more. Alt+Shift+M fills in a mask all the same.",
};

/** The page that a content script of the extension runs in, as the browser tells it; what a script says of itself is not believed. */
interface SendingPage {
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly isTop: boolean;
  /** The name of the tab and the frame. */
  readonly frame: string;
}

const webOrigin = (address: string | undefined): URL | null => {
  const url = URL.parse(address ?? "");
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
};

/**
 * Returns the page of a sender; null for one that is no content script of this extension in a web page, and for a frame that
 * is not of the site that the address bar names.
 */
const pageOf = ({ id, tab, url, origin, frameId }: MessageSender, ownId: string): SendingPage | null => {
  if (id !== ownId || tab === undefined) return null;
  const sender = webOrigin(url) ?? webOrigin(origin);
  const isTop = frameId === 0;
  if (sender === null || (!isTop && webOrigin(tab.url)?.origin !== sender.origin)) return null;
  const { origin: own, protocol, hostname } = sender;
  return { origin: own, protocol, host: hostname, isTop, frame: `${tab.id}:${frameId}` };
};

interface MessageDeps {
  /** The id of this extension. */
  readonly ownId: string;
  readonly ports: () => Promise<ExtensionPorts>;
  readonly codes: SiteCodes;
  readonly permissions: Pick<ExtensionApi["permissions"], "contains">;
}

/**
 * True if the extension may work in a page: the user has called it there, or allows it on the site. A script goes on in a page
 * that was open when the access was taken back.
 */
const mayWorkIn = async (
  { permissions }: MessageDeps,
  { protocol, host }: SendingPage,
  { isCalled }: { readonly isCalled: boolean },
): Promise<boolean> =>
  isCalled || permissions.contains({ origins: [`${protocol}//${host}/*`] }).catch(() => false);

/** Answers a message of a content script; undefined for what is no message to the background. */
export const answerMessage = (
  deps: MessageDeps,
  message: unknown,
  sender: MessageSender,
): Promise<unknown> | undefined => {
  const { ports, codes } = deps;
  const page = pageOf(sender, deps.ownId);
  if (page === null) return undefined;
  if (TokenMessage.is(message) && page.isTop)
    return ports().then((loaded) => receiveToken(loaded, { ...message, origin: page.origin }));
  const site = hostNameIn(page.host);
  const within = async <Given>(
    asked: { readonly isCalled: boolean },
    answer: (loaded: ExtensionPorts) => Given | Promise<Given>,
    refusal: Given,
  ): Promise<Given> => ((await mayWorkIn(deps, page, asked)) ? answer(await ports()) : refusal);
  if (MaskMessage.is(message) && site !== null)
    return within(message, (loaded) => maskForSite(loaded, site, page.origin), notAllowed);
  if (CodeMessage.is(message) && site !== null)
    return within<CodeAnswer>(message, (loaded) => codes.next(loaded, site, page.frame), {});
  if (UsedMessage.is(message))
    return within<void>(message, (loaded) => codes.deleteUsed(loaded, page.frame), undefined);
  return undefined;
};
