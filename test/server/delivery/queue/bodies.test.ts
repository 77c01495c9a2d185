import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { cryptoRandom, systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import { Delivery } from "../../../../server/delivery/delivery.ts";
import { createNextHopTransport } from "../../../../server/delivery/nextHopTransport.ts";
import { createFileBodies } from "../../../../server/delivery/queue/fileBodies.ts";
import { deleteWaitingMail } from "../../../../server/delivery/queue/queueAdministration.ts";
import { createSegmentSweep } from "../../../../server/delivery/queue/segmentSweep.ts";
import { deleteHeldMail } from "../../../../server/features/held/heldQueries.ts";
import { createBeginContent } from "../../../../server/platform/spool/arrivingContent.ts";
import { createSpool, type SpoolFolder } from "../../../../server/platform/spool/spoolFile.ts";
import { type Database, openDatabase } from "../../../../server/platform/store/database.ts";
import { GroupCommit } from "../../../../server/platform/store/groupCommit.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { bystander } from "../../support/bystander.ts";
import { createListener, type Listener, silent } from "../../support/listener.ts";
import { addMask, addOwner, type TestMask } from "../../support/owners.ts";
import { newStorage } from "../../support/runningDelivery.ts";
import { type Sink, startSink } from "../../support/sink.ts";
import { connectSmtp } from "../../support/smtpClient.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until, untilBy } from "../../support/until.ts";

const marker = "4242424242-the-secret-of-this-mail";
const small = `From: a@b.example\r\nSubject: x\r\n\r\n${`${marker}\r\n`.repeat(100)}`;
const large = `From: a@b.example\r\nSubject: x\r\n\r\n${`${marker}\r\n`.repeat(30_000)}`;

describe("The content of queued mail", () => {
  const folder = useTemporaryFolder();
  let database: Database;
  let group: GroupCommit;
  let createProcess: (clock?: Clock) => Delivery;
  let delivery: Delivery;
  let listener: Listener;
  let port: number;
  let masks: readonly TestMask[];
  let sink: Sink;
  let spool: SpoolFolder;
  let stop: (() => Promise<void>) | null;

  beforeEach(async () => {
    sink = await startSink();
    database = await openDatabase(sqliteEngine(join(folder(), "bauta.db")));
    group = new GroupCommit(database, { items: 200, weight: 64 * 1024 * 1024 });
    const owner = await addOwner(database.db, "business");
    masks = [await addMask(database.db, owner), await addMask(database.db, owner)];
    spool = createSpool(folder(), true);
    const store = createFileBodies(database, spool);
    const common = { database, group, clock: systemClock, random: cryptoRandom, log: silent };
    const hop = { host: "127.0.0.1", port: sink.port, secure: false };
    createProcess = (clock = systemClock) =>
      new Delivery({
        ...newStorage(database),
        ...common,
        clock,
        bodies: store,
        transport: createNextHopTransport(hop, "masks.example", 4),
        onOwnerNotified: () => {},
        concurrency: 4,
      });
    delivery = createProcess();
    listener = await createListener({
      ...common,
      fresh: {
        reserve: (bytes) => delivery.fresh.reserve(bytes),
        cancel: (bytes) => delivery.fresh.cancel(bytes),
        add: (...mail) => delivery.fresh.add(...mail),
      },
      bodies: store,
      beginContent: createBeginContent(spool),
      onQueued: (isWaiting) => {
        if (isWaiting) delivery.wake();
      },
    });
    ({ port } = await listener.start());
    stop = null;
  });
  afterEach(async () => {
    await listener.stop();
    await stop?.();
    await database.close();
    await sink.close();
  });

  const start = async (clock?: Clock): Promise<void> => {
    delivery = createProcess(clock);
    stop = delivery.start();
    await until("it delivers", delivery.ready);
  };
  const send = async (mail: string, to = masks): Promise<string> => {
    const client = await connectSmtp(port);
    const answer = await client.mail(
      "a@b.example",
      to.map(({ email }) => email),
      mail,
    );
    client.destroy();
    return answer;
  };
  const bodies = () => database.db.selectFrom("bodies").selectAll().orderBy("id").orderBy("part").execute();
  const isOnDisk = (): boolean =>
    readdirSync(folder(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(marker));
  const settled = () =>
    until("nothing waits", async () => {
      const waiting = await database.db
        .selectFrom("queue")
        .select("id")
        .where("status", "=", "waiting")
        .execute();
      return waiting.length === 0;
    });

  const contentOf = async (row: Awaited<ReturnType<typeof bodies>>[number] | undefined): Promise<string> => {
    const { segment, segment_start, segment_length, file_key } = row ?? {};
    if (!segment) return Buffer.from(row?.content ?? []).toString();
    const place = {
      segment,
      start: Number(segment_start),
      length: Number(segment_length),
      key: file_key ?? "",
    };
    return String(await spool.segments?.read(place));
  };

  it("is stored once for all copies of a mail, encrypted with a key in the database", async () => {
    expect(await send(small)).to.match(/^250/);
    const rows = await bodies();
    expect(rows.map(({ part }) => part)).to.deep.equal([-2, -1, 0]);
    const whole = rows.find(({ part }) => part === 0);
    expect(whole?.content).to.equal(null);
    expect(await contentOf(whole)).to.equal(small.slice(small.indexOf("\r\n\r\n") + 2));
    expect(isOnDisk()).to.equal(false);
  });

  it("moves from a file that it shares to its row when it waits for long", async () => {
    expect(await send(small)).to.match(/^250/);
    const ended = createSpool(folder(), true);
    const sweep = createSegmentSweep(database, ended);
    await sweep();
    expect(readdirSync(join(folder(), "segments")), "while it may leave any moment").to.have.length(1);
    for (const name of readdirSync(join(folder(), "segments")))
      utimesSync(join(folder(), "segments", name), 0, 0);
    await sweep();
    expect(readdirSync(join(folder(), "segments"))).to.deep.equal([]);
    const [whole] = (await bodies()).filter(({ part }) => part === 0);
    expect(whole?.segment).to.equal(null);
    expect(await contentOf(whole)).to.equal(small.slice(small.indexOf("\r\n\r\n") + 2));
    await start();
    await until("both copies have arrived", () => sink.mails.length === 2);
    await settled();
    expect(await bodies()).to.deep.equal([]);
  });

  it("is a file for a large mail, encrypted with a key in the database", async () => {
    expect(await send(large)).to.match(/^250/);
    expect(readdirSync(join(folder(), "spool"))).to.have.length(1);
    expect((await bodies()).filter(({ file_key }) => file_key !== null)).to.have.length(1);
    expect(isOnDisk()).to.equal(false);
  });

  for (const [size, mail] of Object.entries({ small, large }))
    it(`is gone from the disk once a ${size} mail is delivered, also after a restart`, async () => {
      await start();
      expect(await send(mail)).to.match(/^250/);
      await until("both copies have arrived", () => sink.mails.length === 2);
      await settled();
      await stop?.();
      stop = null;
      expect(await send(mail)).to.match(/^250/);
      expect(sink.mails).to.have.length(2);
      await database.engine.purgeDeleted();
      expect(isOnDisk(), "while it waits").to.equal(false);
      await start();
      await until("both copies have arrived again", () => sink.mails.length === 4);
      await settled();
      const body = mail.slice(mail.indexOf("\r\n\r\n"));
      for (const { content } of sink.mails)
        expect(content.toString().endsWith(body), "the body is the same bytes").to.equal(true);
      expect(await bodies()).to.deep.equal([]);
      await until("the file is gone", () => readdirSync(join(folder(), "spool")).length === 0).catch(
        () => {},
      );
      await database.engine.purgeDeleted();
      expect(isOnDisk()).to.equal(false);
    });

  it("of a held mail is gone within seconds once the owners of all its copies have deleted it", async () => {
    sink.onContent = () => "554 5.7.1 no";
    const virtual = createVirtualClock();
    await start({ ...virtual, now: systemClock.now });
    const files = () => readdirSync(join(folder(), "spool")).length;
    const held = () =>
      database.db
        .selectFrom("held_mails")
        .where("user_id", "!=", bystander.id)
        .select(["id", "user_id as userId"])
        .execute();
    expect(await send(large)).to.match(/^250/);
    await until("both copies are held", async () => (await held()).length === 2);
    const [first, second] = await held();
    const remove = (mail: typeof first) =>
      database.transaction(async (db) => mail && deleteHeldMail(database, db, mail, Date.now()));
    await remove(first);
    await virtual.advance(10_000);
    expect(await bodies(), "while one copy is held").not.to.deep.equal([]);
    expect(files()).to.equal(1);
    await remove(second);
    expect(await bodies(), "the key").to.deep.equal([]);
    await untilBy(virtual, 1_000)("the file is gone", () => files() === 0);
  });

  it("is gone with a waiting mail that the operator deletes", async () => {
    expect(await send(large, masks.slice(0, 1))).to.match(/^250/);
    const mails = await database.db
      .selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .select("id")
      .execute();
    for (const { id } of mails) expect(await deleteWaitingMail(database, id)).to.equal(true);
    expect(await bodies()).to.deep.equal([]);
    await start();
    await until("the file is gone", () => readdirSync(join(folder(), "spool")).length === 0);
  });

  it("stays for a copy that is not delivered yet, which is sent from it", async () => {
    let refusals = 0;
    sink.onContent = () => {
      refusals += 1;
      return refusals === 1 ? "451 4.3.0 later" : null;
    };
    await start();
    expect(await send(small)).to.match(/^250/);
    await until("one copy has arrived", () => sink.mails.length === 1);
    await until("the other waits for its next attempt", async () => {
      const rows = await database.db
        .selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .select(["status", "last_answer"])
        .execute();
      return rows.some(({ status, last_answer }) => status === "waiting" && last_answer !== null);
    });
    expect((await bodies()).map(({ part }) => part)).to.deep.equal([-2, -1, 0]);
    await database.db
      .updateTable("queue")
      .set({ next_attempt_at: 0 })
      .where("status", "=", "waiting")
      .execute();
    delivery.wake();
    await until("the other has arrived", () => sink.mails.length === 2);
    await settled();
    expect(await bodies()).to.deep.equal([]);
  });
});
