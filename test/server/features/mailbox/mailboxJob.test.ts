import { expect } from "chai";
import { timer } from "rxjs";
import { dayMs, hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import {
  listedTogether,
  MailboxFetcher,
  settledTogether,
} from "../../../../server/features/mailbox/fetchMailbox.ts";
import { MailboxError, type MailboxProblem } from "../../../../server/features/mailbox/mailbox.ts";
import { createMailboxJob, takeOverMs } from "../../../../server/features/mailbox/mailboxJob.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { SharedTasks } from "../../../../server/platform/store/sharedTasks.ts";
import type { Intake } from "../../../../server/relay/receive/intake.ts";
import { createVirtualClock, settled, type VirtualClock } from "../../../fakes/virtualClock.ts";
import { usePostgresql, useSqlite } from "../../support/databases.ts";
import { maskDomain, silent } from "../../support/listener.ts";
import { until, untilBy } from "../../support/until.ts";
import { createFakeMailbox, type FakeMailbox } from "./fakeMailbox.ts";

const mail = (n: number): string => `Delivered-To: shop@masks.example\r\nSubject: ${n}\r\n\r\nHello\r\n`;

/** Takes every mail in a transaction of its own, unless the disk is full. */
const createTaker = (database: () => Database) => {
  const taken: string[] = [];
  const taker = {
    isFull: false,
    taken,
    intake: {
      beginContent: () => {
        const pieces: Buffer[] = [];
        return {
          add: async (more: readonly Buffer[]) => {
            pieces.push(...more);
          },
          refusal: () => null,
          discard: () => {},
          text: () => Buffer.concat(pieces).toString(),
        };
      },
      take: async (handed: Parameters<Intake["take"]>[0]) => {
        if (taker.isFull)
          return handed.recipients.map((recipient) => ({
            recipient,
            refusal: { code: 452, status: "4.3.1", text: "full" },
          }));
        await database().transaction(async (db) => handed.inCommit?.(db));
        const { text } = handed.content as unknown as { readonly text: () => string };
        taken.push(/^Subject: (\d+)/m.exec(text())?.[1] ?? "");
        return handed.recipients.map((recipient) => ({ recipient, refusal: null }));
      },
    } as unknown as Intake,
  };
  return taker;
};

interface Process {
  readonly database: () => Database;
  readonly clock: VirtualClock;
  readonly fake: FakeMailbox;
  readonly intake: Intake;
  readonly said?: string[];
}

/** Starts a process that fetches; returns what stops it. */
const startProcess = async ({ database, clock, fake, intake, said = [] }: Process) => {
  const log = {
    ...silent,
    info: (_: unknown, text?: string) => text === undefined && said.push(String(_)),
    warn: (_: unknown, text: string) => said.push(text),
    error: (_: unknown, text: string) => said.push(text),
  } as unknown as typeof silent;
  const fetcher = new MailboxFetcher({
    ...{ database: database(), clock, log, intake, maskDomain, recipientField: null },
    ...{ takesDomain: async () => false, name: "box", own: "box@provider.example" },
  });
  const tasks = new SharedTasks(database(), clock);
  const job = createMailboxJob({ open: fake.open, fetcher, tasks, clock, log });
  await job.start();
  return job.stop;
};

const mailboxOn = (clock: VirtualClock): FakeMailbox =>
  createFakeMailbox({
    pass: (ms) => new Promise((resolve) => timer(ms, clock.scheduler).subscribe(() => resolve())),
  });

/** Lets time pass in steps, between which the store has time to answer. */
const pass = async (clock: VirtualClock, ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += minuteMs) await clock.advance(minuteMs);
};

describe("Fetching mail from a mailbox", () => {
  const { database } = useSqlite();
  let clock: VirtualClock;
  let fake: FakeMailbox;
  beforeEach(() => {
    clock = createVirtualClock();
    fake = mailboxOn(clock);
  });

  it("takes each mail of a week once, with a provider, a disk and a process that fail", async () => {
    const taker = createTaker(database);
    const start = () => startProcess({ database, clock, fake, intake: taker.intake });
    let stop = await start();
    let isDown = false;
    fake.onCall = (call) => {
      if (isDown) throw new MailboxError(call === "open" ? "unreachable" : "closed");
    };
    let sent = 0;
    for (let hour = 0; hour < 7 * 24; hour += 1) {
      for (let n = 0; n < 3; n += 1) {
        await fake.deliver(mail(sent));
        sent += 1;
        await pass(clock, 7 * minuteMs);
      }
      if (hour % 17 === 3) fake.dropSessions();
      if (hour % 23 === 5) isDown = true;
      if (hour % 23 === 9) isDown = false;
      taker.isFull = hour % 31 === 11;
      if (hour % 19 === 7) {
        await stop();
        stop = await start();
      }
      await pass(clock, hourMs - 21 * minuteMs);
    }
    isDown = false;
    taker.isFull = false;
    await pass(clock, dayMs);
    await stop();
    expect(taker.taken.toSorted((a, b) => Number(a) - Number(b))).to.deep.equal(
      Array.from({ length: sent }, (_, n) => String(n)),
    );
    expect(fake.uids()).to.deep.equal([]);
  });

  it("takes a full mailbox at the first start in bounded parts, past mail that stays", async () => {
    const taker = createTaker(database);
    const others = "Delivered-To: me@elsewhere.example\r\n\r\n";
    for (let n = 0; n < 3 * listedTogether; n += 1) await fake.deliver(n % 3 === 0 ? others : mail(n));
    const parts = { listed: 0, removed: 0 };
    const open = async () => {
      const mailbox = await fake.open();
      return {
        ...mailbox,
        list: async (first: number, last: number) => {
          parts.listed = Math.max(parts.listed, last - first + 1);
          return mailbox.list(first, last);
        },
        remove: async (uids: readonly number[]) => {
          parts.removed = Math.max(parts.removed, uids.length);
          return mailbox.remove(uids);
        },
      };
    };
    const stop = await startProcess({ database, clock, fake: { ...fake, open }, intake: taker.intake });
    await until("all mail is taken", () => fake.uids().length === listedTogether);
    await stop();
    expect([taker.taken.length, fake.marked().length]).to.deep.equal([2 * listedTogether, listedTogether]);
    expect(parts.listed).to.equal(listedTogether);
    expect(parts.removed).to.be.within(1, settledTogether);
  });

  it("takes mail as it comes", async () => {
    const taker = createTaker(database);
    const stop = await startProcess({ database, clock, fake, intake: taker.intake });
    await clock.advance(0);
    await fake.deliver(mail(1));
    await settled();
    await clock.advance(1);
    expect(taker.taken).to.deep.equal(["1"]);
    await stop();
  });

  it("says once what is wrong with the mailbox, and that it is over", async () => {
    const said: string[] = [];
    let problem: MailboxProblem | null = "refused-login";
    let opened = 0;
    fake.onCall = (call, when) => {
      if (call === "open" && when === "before") opened += 1;
      if (problem !== null) throw new MailboxError(problem);
    };
    const stop = await startProcess({ database, clock, fake, intake: createTaker(database).intake, said });
    await pass(clock, hourMs);
    expect(opened, "a wrong password is not tried often").to.be.within(2, 8);
    problem = "unreachable";
    await pass(clock, 2 * hourMs);
    problem = null;
    await pass(clock, hourMs);
    await stop();
    expect(said).to.deep.equal([
      "the server of the mailbox refuses user and password",
      "the server of the mailbox does not answer",
      "the mailbox can be read again",
    ]);
  });
});

describe("Fetching mail from a mailbox by several processes", () => {
  const { database, another } = usePostgresql();

  it("is done by one of them, and by the other one when it ends", async () => {
    const clock = createVirtualClock();
    const fake = mailboxOn(clock);
    const taker = createTaker(database);
    const second = await another();
    let sessions = 0;
    fake.onCall = (call, when) => {
      if (call === "open" && when === "after") sessions += 1;
    };
    const common = { clock, fake, intake: taker.intake };
    const stops = [
      await startProcess({ ...common, database }),
      await startProcess({ ...common, database: () => second }),
    ];
    const untilLater = untilBy(clock, takeOverMs);
    await fake.deliver(mail(1));
    await untilLater("the first mail", () => taker.taken.length === 1);
    await clock.advance(10 * takeOverMs);
    expect(sessions).to.equal(1);
    await stops[0]?.();
    await fake.deliver(mail(2));
    await untilLater("the second mail", () => taker.taken.length === 2 && fake.uids().length === 0);
    await stops[1]?.();
  });
});
