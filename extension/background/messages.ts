import * as t from "io-ts";
import type { MessageSender } from "../../adapters/webExtension/extensionApi.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { receiveToken } from "./receiveToken.ts";

const TokenMessage = t.type({ kind: t.literal("token"), code: t.string, token: t.string });

/** The page that a content script of the extension runs in, as the browser tells it; what a script says of itself is not believed. */
interface SendingPage {
  readonly url: URL;
  readonly isTop: boolean;
}

/** Returns the page of a sender; null for one that is no content script of this extension in a web page. */
const pageOf = ({ id, tab, url, frameId }: MessageSender, ownId: string): SendingPage | null => {
  if (id !== ownId || tab === undefined || url === undefined) return null;
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? { url: parsed, isTop: frameId === 0 } : null;
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
    return ports().then((loaded) => receiveToken(loaded, { ...message, origin: page.url.origin }));
  return undefined;
};
