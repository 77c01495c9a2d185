import { expect } from "chai";
import { filter, firstValueFrom, map, take, toArray } from "rxjs";
import type { Connection, Socket, SocketEvent } from "../../core/ports/socket.ts";

/**
 * A socket server that each adapter's test must provide: it echoes every text except "close {code}",
 * after which it closes the connection with that code and the reason "as asked".
 */
export interface SocketSubject {
  readonly socket: Socket;
  readonly address: string;
  /** An address at which no server listens. */
  readonly nowhere: string;
  readonly stop?: () => Promise<void>;
}

const opened = (connection: Connection): Promise<SocketEvent> =>
  firstValueFrom(connection.events$.pipe(filter(({ kind }) => kind === "opened")));

const everything = (connection: Connection): Promise<SocketEvent[]> =>
  firstValueFrom(connection.events$.pipe(toArray()));

/** The tests that every socket adapter must pass. */
export const socketContract = (make: () => Promise<SocketSubject>): void => {
  let subject: SocketSubject;
  before(async () => {
    subject = await make();
  });
  after(() => subject.stop?.());

  it("opens, carries text both ways in order, and reports how it was closed", async () => {
    const connection = subject.socket.open(subject.address);
    const all = everything(connection);
    await opened(connection);
    for (const text of ["one", "ünï 🎭", "close 4001"]) connection.send(text);
    expect(await all).to.deep.equal([
      { kind: "opened" },
      { kind: "message", text: "one" },
      { kind: "message", text: "ünï 🎭" },
      { kind: "closed", code: 4001, reason: "as asked" },
    ]);
  });

  it("drops text that is sent before it is open or after it is closed", async () => {
    const connection = subject.socket.open(subject.address);
    const texts = firstValueFrom(
      connection.events$.pipe(
        filter((event) => event.kind === "message"),
        map(({ text }) => text),
        take(1),
      ),
    );
    expect(connection.send("too early")).to.equal(false);
    await opened(connection);
    expect(connection.send("in time")).to.equal(true);
    expect(await texts).to.equal("in time");
    const end = firstValueFrom(connection.events$.pipe(filter(({ kind }) => kind === "closed")));
    connection.close(1000, "done");
    expect(await end).to.deep.include({ kind: "closed", code: 1000 });
    expect(connection.send("too late")).to.equal(false);
    connection.close(1000, "again");
  });

  it("reports that it closed where no server answers", async () => {
    const events = await everything(subject.socket.open(subject.nowhere));
    expect(events.map(({ kind }) => kind)).to.deep.equal(["closed"]);
    expect(events[0]).to.include({ code: 1006 });
  });
};
