import type { Connection, Socket } from "../../core/ports/socket.ts";
import { socketContract } from "../contracts/socketContract.ts";
import { createFakeSocket, type FakeConnection } from "./fakeSocket.ts";

/** Acts as the contract's server: answers each message right after it was sent. */
const played = ({ latest, socket }: ReturnType<typeof createFakeSocket>): Socket => {
  const answer = (connection: FakeConnection, text: string): void => {
    const code = /^close (\d+)$/.exec(text)?.[1];
    if (code) connection.drop(Number(code), "as asked");
    else connection.push(text);
  };
  return {
    open: (address) => {
      const connection = socket.open(address);
      const theirs = latest();
      queueMicrotask(() => (address === "/nowhere" ? theirs.drop(1006) : theirs.accept()));
      const send: Connection["send"] = (text) => {
        const before = theirs.sent.length;
        const isSent = connection.send(JSON.stringify(text));
        if (theirs.sent.length > before) queueMicrotask(() => answer(theirs, text));
        return isSent;
      };
      return { ...connection, send };
    },
  };
};

describe("The fake socket", () => {
  socketContract(async () => ({ socket: played(createFakeSocket()), address: "/ws", nowhere: "/nowhere" }));
});
