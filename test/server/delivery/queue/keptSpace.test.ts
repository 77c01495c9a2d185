import { expect } from "chai";
import { createKeptSpace } from "../../../../server/delivery/queue/keptSpace.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { useSqlite } from "../../support/databases.ts";

describe("The space for mail that is kept, on the disk of DATA_DIR", () => {
  const { database } = useSqlite();

  it("is there again at the moment in which a flood that was refused has left the disk", async () => {
    let left = 0;
    const space = createKeptSpace({
      database: database(),
      reserve: { freeBeside: () => left },
      clock: createVirtualClock(),
      keptMail: null,
    });
    expect(await space.free()).to.equal(0);
    left = 1_000_000;
    expect(await space.free()).to.equal(1_000_000);
  });
});
