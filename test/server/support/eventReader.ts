import { StreamedMessage } from "../../../core/realtime/eventStream.ts";
import { refuseBystander } from "../../support/bystanderMarker.ts";
import { until } from "./until.ts";

/** A message of the stream, with the id that the reader had after it. */
export interface ReadMessage {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly [field: string]: unknown };
}

/** An open `GET /events`, read as the WHATWG describes it. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  readonly messages: readonly ReadMessage[];
  /** The last id, also of events without data. */
  readonly lastId: () => string;
  readonly text: () => string;
  readonly hasEnded: () => boolean;
  readonly close: () => void;
  /** Waits for a message. */
  readonly waitFor: (what: string, isIt: (message: ReadMessage) => boolean) => Promise<ReadMessage>;
}

/** Opens a stream of changes. */
export const openEvents = async (
  origin: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> => {
  const abort = new AbortController();
  const response = await fetch(`${origin}/events`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: abort.signal,
  });
  const messages: ReadMessage[] = [];
  let [text, unread, id, hasEnded] = ["", "", "", false];
  const readBlock = (block: string): void => {
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const [, name, value] = /^(\w*): ?(.*)$/.exec(line) ?? [];
      if (name === "id") id = value ?? "";
      if (name === "data") data.push(value ?? "");
    }
    if (data.length === 0) return;
    const message: unknown = JSON.parse(data.join("\n"));
    if (StreamedMessage.decode(message)._tag === "Left") throw new Error(`not of the contract: ${block}`);
    messages.push({ id, ...(message as Omit<ReadMessage, "id">) });
  };
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) {
      const decoded = Buffer.from(chunk).toString("utf8");
      text += decoded;
      unread += decoded;
      refuseBystander("the stream of events", unread);
      const blocks = unread.split("\n\n");
      unread = blocks.pop() ?? "";
      for (const block of blocks) readBlock(block);
    }
  };
  read()
    .catch(() => {})
    .finally(() => {
      hasEnded = true;
    });
  return {
    status: response.status,
    headers: response.headers,
    messages,
    lastId: () => id,
    text: () => text,
    hasEnded: () => hasEnded,
    close: () => abort.abort(),
    waitFor: async (what, isIt) => {
      await until(what, () => messages.some(isIt));
      const found = messages.find(isIt);
      if (!found) throw new Error(`no ${what}`);
      return found;
    },
  };
};
