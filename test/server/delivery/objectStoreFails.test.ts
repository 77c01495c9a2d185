import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { systemClock } from "../../../adapters/system/clockAndRandom.ts";
import { createNextHopTransport } from "../../../server/delivery/nextHopTransport.ts";
import { contentOf, type OutgoingCopy } from "../../../server/delivery/outgoingCopy.ts";
import { createObjectBodies, type ObjectBodies } from "../../../server/delivery/queue/objectBodies.ts";
import { S3Client } from "../../../server/platform/objects/s3Client.ts";
import { createBeginContent } from "../../../server/platform/spool/arrivingContent.ts";
import { createSpool } from "../../../server/platform/spool/spoolFile.ts";
import { bystander } from "../support/bystander.ts";
import { usePostgresql } from "../support/databases.ts";
import { type RunningListener, silent, startListener } from "../support/listener.ts";
import { useObjectServer } from "../support/objectServer.ts";
import { addMask, addOwner, type TestMask } from "../support/owners.ts";
import { type RunningDelivery, startDelivery } from "../support/runningDelivery.ts";
import { type Sink, startSink } from "../support/sink.ts";
import { useTemporaryFolder } from "../support/temporaryFolder.ts";
import { until } from "../support/until.ts";
import { arrive, queueCopies } from "./queue/bodyStoreContract.ts";

/** What works is asked for once; what is slow is waited for no longer than that. */
const limits = { requestMs: 3_000, bytesPerSecond: 100 * 1024 * 1024 };
const sizes = { small: 100_000, large: 600_000 };

const mailOf = (bytes: number): string =>
  `From: a@b.example\r\nSubject: x\r\n\r\n${`${randomBytes(30).toString("hex")}\r\n`.repeat(bytes / 62)}`;

describe("While the object store of queued mail fails", () => {
  const folder = useTemporaryFolder();
  const { database } = usePostgresql();
  const store = useObjectServer();
  let bodies: ObjectBodies;
  let mask: TestMask;
  beforeEach(async () => {
    bodies = createObjectBodies({
      objects: new S3Client(store().place, limits),
      onDamaged: () => {},
      database: database(),
      clock: systemClock,
      log: silent,
    });
    mask = await addMask(database().db, await addOwner(database().db, "business"));
  });
  afterEach(() => bodies.close());
  const queued = () =>
    database()
      .db.selectFrom("queue")
      .where("user_id", "is distinct from", bystander.id)
      .selectAll()
      .execute();

  describe("a mail that arrives", () => {
    let relay: RunningListener;
    beforeEach(async () => {
      const beginContent = createBeginContent(createSpool(folder(), false));
      relay = await startListener(database(), undefined, { bodies, beginContent });
    });
    afterEach(() => relay.close());

    for (const [size, bytes] of Object.entries(sizes))
      for (const [fault, reply] of [
        ["lost", /^451 4\.3\.0 Local error, nothing was stored; try again later/],
        ["slow", /^451 4\.3\.0 /],
        ["refused", /^451 4\.3\.0 /],
        ["full", /^452 4\.3\.1 /],
      ] as const)
        it(`is deferred where it is ${size} and the store is ${fault}, and taken afterwards`, async () => {
          store().fault = fault;
          const client = await relay.connect();
          const mail = mailOf(bytes);
          expect(await client.mail("a@b.example", [mask.email], mail)).to.match(reply);
          expect(await queued()).to.deep.equal([]);
          const { n } = await database()
            .db.selectFrom("bodies")
            .select(({ fn }) => fn.countAll<number>().as("n"))
            .executeTakeFirstOrThrow();
          expect(Number(n)).to.equal(0);
          store().fault = null;
          expect(await client.mail("a@b.example", [mask.email], mail)).to.match(/^250/);
          expect((await queued()).length).to.equal(1);
          expect(store().objects.size).to.equal(1);
        });
  });

  describe("a mail that waits", () => {
    let sink: Sink;
    let delivery: RunningDelivery | undefined;
    beforeEach(async () => {
      sink = await startSink();
    });
    afterEach(async () => {
      await delivery?.stop();
      await sink.close();
    });
    const start = (): void => {
      const hop = { host: "127.0.0.1", port: sink.port, secure: false };
      delivery = startDelivery(database(), createNextHopTransport(hop, "masks.example", 1), systemClock, 1, {
        bodies,
      });
    };
    const queue = async (bytes: number): Promise<string> => {
      const text = mailOf(bytes);
      const spool = createSpool(folder(), false);
      const content =
        bytes > 256 * 1024 ? await arrive(spool, Buffer.from(text)) : contentOf(Buffer.from(text));
      const copy: OutgoingCopy = {
        recipient: "me@home.example",
        head: Buffer.from("X: y\r\n"),
        body: { content, skip: 0 },
      };
      await queueCopies({ database: database(), bodies }, [copy]);
      await database()
        .db.updateTable("queue")
        .where("user_id", "is distinct from", bystander.id)
        .set({ lease: null, attempts: 0 })
        .execute();
      return text;
    };
    const postponed = () =>
      until("it waits for its next attempt", async () => {
        const [mail] = await queued();
        return mail?.lease === null && mail.last_answer !== null;
      });
    const makeDue = async (): Promise<void> => {
      await database()
        .db.updateTable("queue")
        .where("user_id", "is distinct from", bystander.id)
        .set({ next_attempt_at: 0 })
        .execute();
      delivery?.wake();
    };

    for (const [size, bytes] of Object.entries(sizes)) {
      for (const fault of ["lost", "slow", "refused"] as const)
        it(`waits on without an attempt where it is ${size} and the store is ${fault}, and is sent afterwards`, async () => {
          const text = await queue(bytes);
          store().fault = fault;
          start();
          await postponed();
          const [mail] = await queued();
          expect([mail?.status, mail?.attempts]).to.deep.equal(["waiting", 0]);
          expect(mail?.last_answer).to.match(/^451 4\.3\.0 The object store /);
          expect(mail?.next_attempt_at).to.be.within(Date.now() + 30_000, Date.now() + 61_000);
          expect(sink.mails).to.deep.equal([]);
          store().fault = null;
          await makeDue();
          await until("it has arrived", () => sink.mails.length === 1);
          expect(sink.mails[0]?.content.toString()).to.equal(`X: y\r\n${text}`);
        });

      it(`is never sent damaged where it is ${size}, and the next mail is whole`, async () => {
        await queue(bytes);
        const [object] = store().objects.values();
        const right = object?.bytes ?? Buffer.alloc(0);
        const wrong = Buffer.from(right);
        wrong[wrong.length - 50] = (wrong[wrong.length - 50] ?? 0) ^ 1;
        if (object) object.bytes = wrong;
        start();
        await postponed();
        const [mail] = await queued();
        expect([mail?.status, mail?.attempts]).to.deep.equal(["waiting", 0]);
        expect(mail?.last_answer).to.equal("451 4.3.0 The stored content of a mail is damaged.");
        const next = await queue(50_000).catch(() => "");
        await database()
          .db.updateTable("queue")
          .set({ next_attempt_at: Date.now() + 1e7 })
          .where("id", "=", mail?.id ?? "")
          .execute();
        delivery?.wake();
        await until("the next one has arrived", () => sink.mails.length > 0);
        expect(sink.mails.map(({ content }) => content.toString())).to.deep.equal([`X: y\r\n${next}`]);
      });
    }

    it("is no bounce after five days either", async () => {
      await queue(sizes.small);
      const sixDays = 6 * 24 * 3_600_000;
      await database()
        .db.updateTable("queue")
        .where("user_id", "is distinct from", bystander.id)
        .set({ created_at: Date.now() - sixDays })
        .execute();
      store().fault = "lost";
      start();
      await postponed();
      const mails = await queued();
      expect(mails.map(({ status }) => status)).to.deep.equal(["waiting"]);
    });
  });
});
