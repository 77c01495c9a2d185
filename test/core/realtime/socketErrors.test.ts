import { expect } from "chai";
import { network, timeout } from "../../../core/kernel/failure.ts";
import { connectionClosed, describeUnanswered, notConnected } from "../../../core/realtime/socketErrors.ts";

describe("The connection history", () => {
  for (const [failure, words] of [
    [network(connectionClosed), "WebSocket connection closed"],
    [notConnected, "WebSocket not connected"],
    [timeout(10_000), "Operation timed out after 10000ms"],
    [{ kind: "busy" }, "busy"],
  ] as const)
    it(`names why a request got no answer: ${words}`, () => {
      expect(describeUnanswered(failure)).to.equal(words);
    });
});
