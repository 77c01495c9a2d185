import { expect } from "chai";
import { usePostgresql } from "../../support/databases.ts";
import { until } from "../../support/until.ts";

describe("The channel between processes on one PostgreSQL", () => {
  const { database, another } = usePostgresql();

  /** The number of connections that listen. */
  const listeners = async (): Promise<number> =>
    (
      await database().engine.read(
        "select pid from pg_stat_activity where query like 'listen%' and datname = current_database()",
        [],
      )
    ).length;

  const announce = (): void => {
    const { channel } = database().engine;
    channel?.changed.add("user");
    channel?.announce();
  };

  it("delivers announcements to every process that listens, and none after it has stopped", async () => {
    const heard: string[] = [];
    const other = await another();
    const stop = other.engine.channel?.listen(() => void heard.push("heard"));
    await until("it listens", () => heard.length > 0);
    announce();
    await until("it has heard", () => heard.length > 1);
    stop?.();
    await until("it listens no longer", async () => (await listeners()) === 0);
    const later: string[] = [];
    const stopLater = other.engine.channel?.listen(() => void later.push("heard"));
    await until("another listens", () => later.length > 0);
    announce();
    await until("the other has heard", () => later.length > 1);
    stopLater?.();
    expect(heard).to.have.lengthOf(2);
  });

  it("subscribes again after the connection was lost, and calls the listener for missed announcements", async () => {
    const heard: string[] = [];
    const stop = database().engine.channel?.listen(() => void heard.push("heard"));
    await until("it listens", () => heard.length > 0);
    const other = await another();
    await other.engine.read(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()",
      [],
    );
    await until("it listens again", () => heard.length > 1);
    stop?.();
  });
});
