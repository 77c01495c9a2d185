import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { sql } from "kysely";
import { hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import { contentOf, type OutgoingCopy, toBuffer } from "../../../../server/delivery/outgoingCopy.ts";
import { BodyUnavailable } from "../../../../server/delivery/queue/bodyStore.ts";
import { createObjectBodies, type ObjectBodies } from "../../../../server/delivery/queue/objectBodies.ts";
import { findQueuedCopy } from "../../../../server/delivery/queue/queuedContent.ts";
import type { QueuedMail } from "../../../../server/delivery/queue/queueQueries.ts";
import { S3Client, type S3Limits } from "../../../../server/platform/objects/s3Client.ts";
import { createSpool } from "../../../../server/platform/spool/spoolFile.ts";
import { storageProblemOf } from "../../../../server/platform/storage/storageProblem.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { createVirtualClock, type VirtualClock } from "../../../fakes/virtualClock.ts";
import { usePostgresql } from "../../support/databases.ts";
import { silent } from "../../support/listener.ts";
import { type ObjectFault, useObjectServer } from "../../support/objectServer.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";
import { arrive, finish, queueCopies } from "./bodyStoreContract.ts";

const marker = "4242424242-the-secret-of-this-mail";
const impatient = { requestMs: 300, bytesPerSecond: 100 * 1024 * 1024 };

const copyOf = (bytes: Buffer): OutgoingCopy => ({
  recipient: "someone@home.example",
  head: Buffer.from("Subject: x\r\n"),
  body: { content: contentOf(bytes), skip: 0 },
});

describe("The bodies of queued mail in an object store", () => {
  const folder = useTemporaryFolder();
  const { database, another } = usePostgresql();
  const store = useObjectServer();
  let clock: VirtualClock;
  let bodies: ObjectBodies;
  let damaged: number;

  const createBodies = (of: Database, limits?: S3Limits): ObjectBodies =>
    createObjectBodies({
      objects: new S3Client(store().place, limits),
      onDamaged: () => {
        damaged += 1;
      },
      database: of,
      clock,
      log: silent,
    });
  beforeEach(() => {
    clock = createVirtualClock();
    damaged = 0;
    bodies = createBodies(database());
  });
  afterEach(() => bodies.close());

  /** Runs work while the store fails; bodies do not wait for a slow one for long. */
  const during = async <A>(fault: ObjectFault, work: () => Promise<A>): Promise<A> => {
    const patient = bodies;
    if (fault === "slow") bodies = createBodies(database(), impatient);
    store().fault = fault;
    try {
      return await work();
    } finally {
      store().fault = null;
      bodies = patient;
    }
  };
  const queue = async (bytes: Buffer, more?: () => void | Promise<void>): Promise<QueuedMail> => {
    const [mail] = await queueCopies({ database: database(), bodies }, [copyOf(bytes)], more);
    if (!mail) throw new Error("a copy is queued");
    return mail;
  };
  const read = async (mail: QueuedMail): Promise<Buffer> => {
    const found = await findQueuedCopy(database().db, bodies, mail);
    return found ? toBuffer(found()) : Buffer.alloc(0);
  };
  const problemOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const rows = () => database().db.selectFrom("bodies").select("id").execute();
  const only = () => {
    const [object, ...others] = store().objects.values();
    if (!object || others.length > 0) throw new Error("there is not one object");
    return object;
  };
  const age = (ms = 2 * hourMs): void => {
    for (const object of store().objects.values()) object.modifiedAt = Date.now() - ms;
  };

  it("are rows up to 32 kB", async () => {
    const mail = await queue(randomBytes(30_000));
    expect(store().requests).to.deep.equal([]);
    expect((await read(mail)).length).to.equal(30_012);
  });

  it("show the store neither what is in them nor whose they are", async () => {
    await queue(Buffer.from(marker.repeat(5_000)));
    const [[name = "", { bytes }] = ["", { bytes: Buffer.alloc(0) }]] = [...store().objects];
    expect(bytes.length).to.be.greaterThan(marker.length * 5_000);
    expect(bytes.includes(marker.slice(0, 10))).to.equal(false);
    expect(name).to.match(/^bauta\/[\w-]{20,40}$/);
  });

  it("are removed after the commit that finishes their mail, several at once", async () => {
    const mails = await queueCopies(
      { database: database(), bodies },
      Array.from({ length: 20 }, () => copyOf(randomBytes(40_000))),
    );
    expect(store().objects.size).to.equal(20);
    await finish({ database: database(), bodies, spool: createSpool(folder(), false) }, mails);
    await until("they are gone", () => store().objects.size === 0);
  });

  for (const [fault, problem] of [
    ["lost", "failed"],
    ["slow", "failed"],
    ["refused", "failed"],
    ["full", "full"],
  ] as const)
    it(`store nothing while the store is ${fault}, which counts as a storage that is ${problem}`, async () => {
      const error = await during(fault, () => problemOf(queue(randomBytes(40_000))));
      expect(storageProblemOf(error)).to.equal(problem);
      expect(await rows()).to.deep.equal([]);
      await queue(randomBytes(40_000));
    });

  it("are asked for once more when the store is busy", async () => {
    store().fault = "busy";
    expect((await read(await queue(randomBytes(40_000)))).length).to.equal(40_012);
  });

  for (const fault of ["lost", "slow", "refused"] as const)
    it(`cannot be read while the store is ${fault}, and can afterwards`, async () => {
      const mail = await queue(randomBytes(40_000));
      const problem = await during(fault, () => problemOf(read(mail)));
      expect(problem).to.be.instanceOf(BodyUnavailable);
      expect(problem).to.have.property("isDamaged", false);
      expect((await read(mail)).length).to.equal(40_012);
    });

  const pieceBytes = 64 * 1024 + 16;
  const changes: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    "a changed bit": (bytes) => {
      const changed = Buffer.from(bytes);
      changed[bytes.length - 100] = (changed[bytes.length - 100] ?? 0) ^ 1;
      return changed;
    },
    "its last byte missing": (bytes) => bytes.subarray(0, -1),
    "its last piece missing": (bytes) => bytes.subarray(0, 4 * pieceBytes),
    "two pieces in another order": (bytes) =>
      Buffer.concat([
        bytes.subarray(pieceBytes, 2 * pieceBytes),
        bytes.subarray(0, pieceBytes),
        bytes.subarray(2 * pieceBytes),
      ]),
    "more at its end": (bytes) => Buffer.concat([bytes, Buffer.alloc(20)]),
    "nothing in it": () => Buffer.alloc(0),
  };
  for (const [what, change] of Object.entries(changes))
    it(`are known as damaged with ${what}, and yield only what is proven`, async () => {
      const content = randomBytes(300_000);
      const [mail] = await queueCopies({ database: database(), bodies }, [
        {
          ...copyOf(content),
          body: { content: await arrive(createSpool(folder(), false), content), skip: 0 },
        },
      ]);
      const object = only();
      object.bytes = change(object.bytes);
      const found = mail && (await findQueuedCopy(database().db, bodies, mail));
      const seen: Buffer[] = [];
      const problem = await problemOf(
        (async () => {
          for await (const chunk of found?.() ?? []) seen.push(chunk);
        })(),
      );
      expect(problem).to.have.property("isDamaged", true);
      expect(damaged).to.equal(1);
      const whole = Buffer.concat([Buffer.from("Subject: x\r\n"), content]);
      const proven = Buffer.concat(seen);
      expect(whole.subarray(0, proven.length).equals(proven)).to.equal(true);
      expect(proven.length).to.be.lessThan(whole.length);
    });

  it("are known as damaged when they are gone", async () => {
    const mail = await queue(randomBytes(40_000));
    store().objects.clear();
    expect(await problemOf(read(mail))).to.have.property("isDamaged", true);
  });

  describe("are swept", () => {
    it("after an hour when no row refers to them, page by page, and no others are", async () => {
      for (let n = 0; n < 7; n += 1) {
        await queue(randomBytes(40_000));
        await problemOf(
          queue(randomBytes(40_000), () => {
            throw new Error("no");
          }),
        );
      }
      store().objects.set("bauta/of/others", { bytes: Buffer.alloc(1), modifiedAt: 0 });
      store().objects.set("other/abc", { bytes: Buffer.alloc(1), modifiedAt: 0 });
      await bodies.sweep();
      expect(store().objects.size, "while their mail may be under way").to.equal(16);
      age();
      await bodies.sweep();
      expect(store().objects.size, "an hour between two sweeps").to.equal(16);
      await clock.advance(hourMs);
      await bodies.sweep();
      const named = (await rows()).map(({ id }) => `bauta/${id}`);
      expect([...store().objects.keys()].toSorted()).to.deep.equal(
        [...new Set(named), "bauta/of/others", "other/abc"].toSorted(),
      );
    });

    it("not while the commit of their row is under way, however long it takes", async () => {
      let sweeping = Promise.resolve();
      const other = createBodies(await another());
      const mail = await queue(randomBytes(40_000), async () => {
        age();
        sweeping = other.sweep();
        await until("the sweep waits for it", async () => {
          const { rows: waiting } = await sql`select 1 from pg_locks where not granted`.execute(
            database().db,
          );
          return waiting.length > 0;
        });
      });
      await sweeping;
      expect((await read(mail)).length).to.equal(40_012);
      await other.close();
    });

    it("by two processes at the same time, each object once or twice and none of a row", async () => {
      const mail = await queue(randomBytes(40_000));
      for (let n = 0; n < 6; n += 1)
        await problemOf(
          queue(randomBytes(40_000), () => {
            throw new Error("no");
          }),
        );
      age();
      const other = createBodies(await another());
      await Promise.all([bodies.sweep(), other.sweep()]);
      expect(store().objects.size).to.equal(1);
      expect((await read(mail)).length).to.equal(40_012);
      await other.close();
    });

    it("and no row is stored that comes too late for that", async () => {
      const before = bodies;
      bodies = {
        ...before,
        write: async (contents) => {
          const written = await before.write(contents);
          await clock.advance(11 * minuteMs);
          return written;
        },
      };
      expect(await problemOf(queue(randomBytes(40_000)))).to.be.instanceOf(Error);
      expect(await rows()).to.deep.equal([]);
    });

    it("when they could not be removed after the delivery", async () => {
      const mail = await queue(randomBytes(40_000));
      store().fault = "lost";
      await finish({ database: database(), bodies, spool: createSpool(folder(), false) }, [mail]);
      await until(
        "it was tried",
        () => store().requests.filter((one) => one.startsWith("DELETE")).length > 1,
      );
      store().fault = null;
      expect(store().objects.size).to.equal(1);
      age();
      await bodies.sweep();
      expect(store().objects.size).to.equal(0);
    });
  });
});
