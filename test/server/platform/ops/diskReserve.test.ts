import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { createDiskReserve, type DiskSpace } from "../../../../server/platform/ops/diskReserve.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";

const mebibyte = 1024 * 1024;
const disk = (free: number): DiskSpace => ({ total: 40 * mebibyte, free: free * mebibyte });

describe("The reserve of the data folder's disk", () => {
  const folder = useTemporaryFolder();
  const file = (): string => join(folder(), "reserve");

  const begin = async (free: number) => {
    let space = disk(free);
    let given = 0;
    const clock = createVirtualClock();
    const reserve = createDiskReserve({
      dataDir: folder(),
      clock,
      log: pino({ level: "silent" }),
      readSpace: () => space,
    });
    const stop = await reserve.start(async () => {
      given += 1;
    });
    /** Leaves so many MiB and lets seconds pass until something holds. */
    const leave = async (left: number, isDone: () => boolean): Promise<void> => {
      space = disk(left);
      await until("the disk was looked at", async () => {
        await clock.advance(1_000);
        return isDone();
      });
    };
    return { reserve, stop, leave, given: () => given };
  };

  it("takes new mail while as much is free as its file, 5 % of a small disk, occupies", async () => {
    const { reserve, stop, leave } = await begin(20);
    expect(reserve.hasRoom()).to.equal(true);
    expect(statSync(file()).size).to.equal(2 * mebibyte);
    await leave(1.9, () => !reserve.hasRoom());
    expect(existsSync(file()), "the file while deliveries have room").to.equal(true);
    await leave(2, reserve.hasRoom);
    stop();
  });

  it("gives its file to deliveries when nothing else is free, and takes it back when there is room for both", async () => {
    const { reserve, stop, leave, given } = await begin(20);
    await leave(0.2, () => !existsSync(file()));
    expect(reserve.hasRoom()).to.equal(false);
    await leave(4, () => given() >= 2);
    expect([reserve.hasRoom(), existsSync(file())]).to.deep.equal([false, false]);
    await leave(4.3, reserve.hasRoom);
    expect(statSync(file()).size).to.equal(2 * mebibyte);
    stop();
  });

  it("asks for the space that the server occupies without need while there is no room", async () => {
    const { stop, leave, given } = await begin(20);
    expect(given()).to.equal(0);
    await leave(1, () => given() > 0);
    stop();
  });

  it("has no room at a start on a full disk, and knows the file of an earlier start", async () => {
    const { reserve, stop } = await begin(0.5);
    expect([reserve.hasRoom(), existsSync(file())]).to.deep.equal([false, false]);
    stop();
    writeFileSync(file(), "anything");
    const later = await begin(3);
    expect(later.reserve.hasRoom()).to.equal(true);
    later.stop();
  });
});
