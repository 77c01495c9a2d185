import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { usePostgresql } from "../support/databases.ts";

describe("The channel between processes on one PostgreSQL", () => {
  const { database, another } = usePostgresql();

  it("delivers announcements to every process that listens, and none after it has stopped", async () => {
    const heard: string[] = [];
    const other = await another();
    const stop = other.engine.channel?.listen(() => void heard.push("heard"));
    while (heard.length === 0) await sleep(5);
    database().engine.channel?.announce();
    while (heard.length < 2) await sleep(5);
    stop?.();
    await sleep(20);
    database().engine.channel?.announce();
    await sleep(50);
    expect(heard).to.have.lengthOf(2);
  });

  it("subscribes again after the connection was lost, and calls the listener for missed announcements", async () => {
    const heard: string[] = [];
    const stop = database().engine.channel?.listen(() => void heard.push("heard"));
    while (heard.length === 0) await sleep(5);
    const other = await another();
    await other.engine.read(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()",
      [],
    );
    while (heard.length < 2) await sleep(20);
    stop?.();
  });

  it("runs housekeeping in one process at a time", async () => {
    const other = await another();
    const ran: string[] = [];
    await database().engine.alone("test", async () => {
      ran.push("here");
      await other.engine.alone("test", async () => void ran.push("there"));
      await other.engine.alone("something else", async () => void ran.push("else"));
    });
    await other.engine.alone("test", async () => void ran.push("afterwards"));
    expect(ran).to.deep.equal(["here", "else", "afterwards"]);
  });
});
