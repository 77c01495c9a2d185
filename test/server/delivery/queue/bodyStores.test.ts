import { systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import type { BodyStore } from "../../../../server/delivery/queue/bodyStore.ts";
import { createFileBodies } from "../../../../server/delivery/queue/fileBodies.ts";
import { createObjectBodies } from "../../../../server/delivery/queue/objectBodies.ts";
import { rowBodies } from "../../../../server/delivery/queue/rowBodies.ts";
import { S3Client } from "../../../../server/platform/objects/s3Client.ts";
import { createSpool, type SpoolFolder } from "../../../../server/platform/spool/spoolFile.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { type TestDatabase, usePostgresql, useSqlite } from "../../support/databases.ts";
import { silent } from "../../support/listener.ts";
import { useObjectServer } from "../../support/objectServer.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { bodyStoreContract } from "./bodyStoreContract.ts";

interface Kind {
  readonly isDurable: boolean;
  readonly create: (database: Database, spool: SpoolFolder) => BodyStore;
}

const suite = ({ database }: TestDatabase, { isDurable, create }: Kind): void => {
  const folder = useTemporaryFolder();
  let spool: SpoolFolder;
  let bodies: BodyStore;
  beforeEach(() => {
    spool = createSpool(folder(), isDurable);
    bodies = create(database(), spool);
  });
  bodyStoreContract(() => ({ database: database(), spool, bodies }));
};

describe("The bodies of queued mail", () => {
  describe("in files beside SQLite", () =>
    suite(useSqlite(), { isDurable: true, create: (database, spool) => createFileBodies(database, spool) }));

  describe("in rows of PostgreSQL", () =>
    suite(usePostgresql(), { isDurable: false, create: () => rowBodies }));

  describe("in an object store beside PostgreSQL", () => {
    const store = useObjectServer();
    suite(usePostgresql(), {
      isDurable: false,
      create: (database) =>
        createObjectBodies({
          objects: new S3Client(store().place),
          onDamaged: () => {},
          database,
          clock: systemClock,
          log: silent,
        }),
    });
  });
});
