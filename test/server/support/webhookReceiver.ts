import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { refuseBystander } from "../../support/bystanderMarker.ts";

/** A message as it came. */
export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: { readonly mail?: Readonly<Record<string, unknown>>; readonly [name: string]: unknown };
  };
}

/** A receiver of webhooks on a free port of this machine. */
export interface WebhookReceiver {
  readonly url: string;
  readonly messages: ReceivedMessage[];
  /** How messages are answered from now on; 204 at first. */
  answer: (response: ServerResponse) => void;
  readonly close: () => Promise<void>;
}

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const messages: ReceivedMessage[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    refuseBystander("a message of a webhook", body);
    messages.push({ headers: request.headers, body, json: JSON.parse(body) as ReceivedMessage["json"] });
    receiver.answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages,
    answer: (response) => response.writeHead(204).end(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
};

/** Whether a message is signed with a secret, by the library that receivers use. */
export const isSignedWith = (secret: string, { headers, body }: ReceivedMessage): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};
