import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";
import { createMask } from "../../test/fakes/productServer.ts";

// A server in its own thread, so that its work is not counted as the client's.

const body = JSON.stringify({ masks: Array.from({ length: 10 }, (_, at) => createMask(`mask-${at}`)) });

let answered = 0;
const server = createServer((_request, response) => {
  answered += 1;
  response.setHeader("content-type", "application/json").end(body);
});
server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
/** Returns how many requests were answered since the last message. */
parentPort?.on("message", () => {
  parentPort?.postMessage(answered);
  answered = 0;
});
