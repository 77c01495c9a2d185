import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect } from "chai";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { contentOf, toBuffer } from "../../../server/delivery/outgoingCopy.ts";
import { createObjectBodies } from "../../../server/delivery/queue/objectBodies.ts";
import { findQueuedCopy } from "../../../server/delivery/queue/queuedContent.ts";
import { rowBodies } from "../../../server/delivery/queue/rowBodies.ts";
import { S3Client } from "../../../server/platform/objects/s3Client.ts";
import { type Database, openDatabase } from "../../../server/platform/store/database.ts";
import { sqliteEngine } from "../../../server/platform/store/sqlite.ts";
import { skipWithout } from "../../support/missing.ts";
import { queueCopies } from "../delivery/queue/bodyStoreContract.ts";
import { silent } from "../support/listener.ts";
import { useObjectServer } from "../support/objectServer.ts";
import { connectPostgresql, hasPostgresql, newPostgresqlDatabase } from "../support/postgresql.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { bauta } from "./support.ts";

describe("The bauta command beside an object store", () => {
  const folder = useTemporaryFolder();
  const store = useObjectServer();
  before(function () {
    if (!hasPostgresql()) skipWithout(this, "PostgreSQL");
  });
  let settings: Readonly<Record<string, string>>;
  let opened: readonly Database[] = [];
  const open = async (engine: Parameters<typeof openDatabase>[0]): Promise<Database> => {
    const database = await openDatabase(engine);
    opened = [...opened, database];
    return database;
  };
  beforeEach(async () => {
    const { bucket, prefix, endpoint, accessKey, secretKey } = store().place;
    settings = {
      DATA_DIR: join(folder(), "data"),
      DATABASE_URL: await newPostgresqlDatabase(),
      BODY_STORE: `s3://${bucket}/${prefix}?endpoint=${endpoint}`,
      BODY_STORE_ACCESS_KEY: accessKey,
      BODY_STORE_SECRET_KEY: secretKey,
    };
  });
  afterEach(async () => {
    for (const database of opened) await database.close();
    opened = [];
  });

  const queue = async () => {
    const database = await open(connectPostgresql(settings["DATABASE_URL"] ?? ""));
    const objects = new S3Client(store().place);
    const bodies = createObjectBodies({
      objects,
      onDamaged: () => {},
      database,
      clock: systemClock,
      log: silent,
    });
    const bytes = randomBytes(100_000);
    const copy = {
      recipient: "me@home.example",
      head: Buffer.from("X: y\r\n"),
      body: { content: contentOf(bytes), skip: 0 },
    };
    const [mail] = await queueCopies({ database, bodies }, [copy]);
    if (!mail) throw new Error("a copy is queued");
    return { mail, content: Buffer.concat([copy.head, bytes]) };
  };
  const file = (): string => join(folder(), "backup.gz");

  it("backs up the content of queued mail, and restores it where there is none", async () => {
    const { mail, content } = await queue();
    expect((await bauta(settings, "backup", file())).code).to.equal(0);
    const DATA_DIR = join(folder(), "restored");
    expect((await bauta({ DATA_DIR }, "restore", file())).code).to.equal(0);
    const restored = await open(sqliteEngine(join(DATA_DIR, "bauta.db")));
    const read = await findQueuedCopy(restored.db, rowBodies, mail);
    expect(read && (await toBuffer(read())).equals(content)).to.equal(true);
  });

  it("says what a backup does not have, and in one line why it has made none", async () => {
    await queue();
    store().objects.clear();
    expect((await bauta(settings, "backup", file())).out).to.contain(
      "Mails that were delivered or deleted meanwhile, or are damaged: 1. The backup lacks their content.",
    );
    await queue();
    const { DATA_DIR = "", DATABASE_URL = "" } = settings;
    const without = await bauta({ DATA_DIR, DATABASE_URL }, "backup", file());
    expect([without.code, without.errors.trim()]).to.deep.equal([
      1,
      "The content of a queued mail is neither in the database nor where BODY_STORE is.",
    ]);
  });
});
