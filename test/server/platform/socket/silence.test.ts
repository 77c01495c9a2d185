import { expect } from "chai";
import { VirtualTimeScheduler } from "rxjs";
import { isType, openSocket } from "../../support/socketClient.ts";
import { startServer } from "../../support/startServer.ts";

const checkEveryMs = 30_000;

describe("A socket whose client disappears without a close frame", () => {
  it("is closed at the second check, a minute later, while one that answers stays", async () => {
    const scheduler = new VirtualTimeScheduler(undefined, 0);
    const server = await startServer({ scheduler });
    const user = await server.signIn("owner@example.org");
    const [gone, there] = [
      await openSocket(server.origin, user, { autoPong: false }),
      await openSocket(server.origin, user),
    ];
    const look = async (): Promise<void> => {
      const pinged = new Promise((resolve) => there.socket.once("ping", resolve));
      scheduler.maxFrames += checkEveryMs;
      scheduler.flush();
      await pinged;
      there.send("heartbeat");
      await there.waitFor(isType("heartbeat_ack"));
    };
    await look();
    expect(gone.socket.readyState).to.equal(gone.socket.OPEN);
    await look();
    expect((await gone.closed).code).to.equal(1006);
    expect(there.socket.readyState).to.equal(there.socket.OPEN);
    there.socket.terminate();
    await server.stop();
  });

  it("is closed first when the user has ten sockets and opens another", async () => {
    const scheduler = new VirtualTimeScheduler(undefined, 0);
    const server = await startServer({ scheduler });
    const user = await server.signIn("owner@example.org");
    const gone = await openSocket(server.origin, user, { autoPong: false });
    const others = [];
    for (let count = 1; count < 10; count++) others.push(await openSocket(server.origin, user));
    const pinged = Promise.all(
      others.map(({ socket }) => new Promise((resolve) => socket.once("ping", resolve))),
    );
    scheduler.maxFrames += checkEveryMs;
    scheduler.flush();
    await pinged;
    for (const other of others) {
      other.send("heartbeat");
      await other.waitFor(isType("heartbeat_ack"));
    }
    const eleventh = await openSocket(server.origin, user);
    await eleventh.waitFor(isType("connection_established"));
    expect((await gone.closed).code).to.equal(1013);
    const twelfth = await openSocket(server.origin, user);
    expect(await twelfth.closed).to.deep.equal({ code: 1013, reason: "Too many sockets are open" });
    for (const { socket } of [...others, eleventh]) socket.terminate();
    await server.stop();
  });
});
