import * as t from "io-ts";
import { hostNameIn } from "../../core/masks/madeFor.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { MessageSender } from "../extensionApi.ts";
import { receiveToken } from "./receiveToken.ts";
import { codeForSite, deleteUsedCode } from "./siteCode.ts";
import { maskForSite } from "./siteMask.ts";

const TokenMessage = t.type({ kind: t.literal("token"), code: t.string, token: t.string });

const MaskMessage = t.type({ kind: t.literal("mask") });
const CodeMessage = t.type({ kind: t.literal("code") });
const UsedMessage = t.type({ kind: t.literal("used") });

/** The page that a content script of the extension runs in, as the browser tells it; what a script says of itself is not believed. */
interface SendingPage {
  readonly origin: string;
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
  return { origin: sender.origin, host: sender.hostname, isTop, frame: `${tab.id}:${frameId}` };
};

interface MessageDeps {
  /** The id of this extension. */
  readonly ownId: string;
  readonly ports: () => Promise<Ports>;
}

/** Answers a message of a content script; undefined for what is no message to the background. */
export const answerMessage = (
  { ownId, ports }: MessageDeps,
  message: unknown,
  sender: MessageSender,
): Promise<unknown> | undefined => {
  const page = pageOf(sender, ownId);
  if (page === null) return undefined;
  if (TokenMessage.is(message) && page.isTop)
    return ports().then((loaded) => receiveToken(loaded, { ...message, origin: page.origin }));
  const site = hostNameIn(page.host);
  if (MaskMessage.is(message) && site !== null)
    return ports().then((loaded) => maskForSite(loaded, site, page.origin));
  if (CodeMessage.is(message) && site !== null)
    return ports().then((loaded) => codeForSite(loaded, site, page.frame));
  if (UsedMessage.is(message)) return ports().then((loaded) => deleteUsedCode(loaded, page.frame));
  return undefined;
};
