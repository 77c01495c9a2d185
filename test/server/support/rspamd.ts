import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An rspamd that gives each mail the action that a test chose last. */
export interface RspamdStub {
  readonly url: string;
  action: string;
  readonly close: () => void;
}

export const startRspamdStub = async (): Promise<RspamdStub> => {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () =>
      response.end(
        JSON.stringify({
          score: 8,
          required_score: 15,
          action: stub.action,
          symbols: { BAYES_SPAM: { score: 8 } },
        }),
      ),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const stub: RspamdStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    action: "no action",
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return stub;
};
