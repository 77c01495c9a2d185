import { expect } from "chai";
import { dayMs, hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import { nextRetryAt } from "../../../../core/mail/retrySchedule.ts";
import { DomainLimits } from "../../../../server/delivery/direct/domainLimits.ts";
import { createDirectDelivery } from "../../../../server/delivery/direct/findMxRoute.ts";
import { firstPerHour, ProviderLimits } from "../../../../server/delivery/direct/providerLimits.ts";
import { listProviderStates } from "../../../../server/delivery/direct/providerQueries.ts";
import { providerOfServer } from "../../../../server/delivery/direct/providers.ts";
import type { DeliveryOutcome, Transport } from "../../../../server/delivery/transport.ts";
import { readProviders } from "../../../../server/features/operator/overview.ts";
import { longTestMs } from "../../../support/limits.ts";
import { onEachDatabase } from "../../support/databases.ts";

const delivered: DeliveryOutcome = { kind: "delivered", answer: "250 ok" };
const limited: DeliveryOutcome = {
  kind: "temporary",
  answer: "421 4.7.28 Gmail has detected an unusual rate of unsolicited mail",
};
const random = { fraction: () => 0 };

/** The mail servers of domains, as DNS would have them. */
const servers: Readonly<Record<string, string>> = {
  "gmail.com": "gmail-smtp-in.l.google.com",
  "school.example": "aspmx.l.google.com",
  "home.example": "mx.home.example",
};

describe("The providers of mail servers", () => {
  it("are found by the end of a name, and not by a name that only looks alike", () => {
    const found = (name: string) => providerOfServer(name)?.id ?? null;
    expect(found("gmail-smtp-in.l.google.com")).to.equal("google");
    expect(found("ASPMX2.GOOGLEMAIL.COM")).to.equal("google");
    expect(found("school-example.mail.protection.outlook.com")).to.equal("microsoft");
    expect(found("mta5.am0.yahoodns.net")).to.equal("yahoo");
    expect(found("mx01.mail.icloud.com")).to.equal("icloud");
    for (const name of ["evilgoogle.com", "google.com.example", "mx.home.example", "com", ""])
      expect(found(name), name).to.equal(null);
  });
});

describe("Mail to a large provider", () => {
  onEachDatabase(({ database }) => {
    let now: number;
    let answer: () => DeliveryOutcome;
    let taken: { readonly id: string; readonly at: number }[];
    let asked: number[];
    let delivery: Transport;
    const clock = { now: () => now };

    const limits = (): ProviderLimits => new ProviderLimits({ db: database().db, clock, random });
    const start = (): void => {
      delivery = createDirectDelivery({
        findMxRoute: async (domain) => ({
          kind: "found",
          mxRoute: {
            servers: [
              {
                name: servers[domain] ?? "",
                addresses: ["192.0.2.1"],
                port: 25,
                tls: { kind: "opportunistic" },
              },
            ],
          },
        }),
        limits: new DomainLimits({
          maxInProgress: 20,
          perMinute: 10_000,
          maxUnproven: 100,
          maxUnprovenBytes: 1e9,
          clock,
          random,
        }),
        providerLimits: limits(),
        transport: {
          send: async ({ id }) => {
            const outcome = answer();
            asked.push(now);
            if (outcome.kind === "delivered") taken.push({ id, at: now });
            return outcome;
          },
          abort: () => {},
        },
      });
    };
    beforeEach(() => {
      now = Date.UTC(2026, 10, 20, 9);
      answer = () => delivered;
      [taken, asked] = [[], []];
      start();
    });

    let ids = 0;
    const send = (recipient: string, { userId = "u" as string | null, id = `mail-${++ids}` } = {}) =>
      delivery.send({
        id,
        envelopeSender: "",
        recipient,
        userId,
        size: 1,
        chunks: () => [],
        createdAt: now,
      });
    const sendMany = async (count: number, recipient = "a@gmail.com") => {
      const outcomes: DeliveryOutcome[] = [];
      for (let sent = 0; sent < count; sent += 1) outcomes.push(await send(recipient));
      return outcomes;
    };
    const countOf = (outcomes: readonly DeliveryOutcome[], kind: DeliveryOutcome["kind"]): number =>
      outcomes.filter((outcome) => outcome.kind === kind).length;

    it("begins with a few mails an hour for all its domains together; others and codes are not held up", async () => {
      const both = [...(await sendMany(4)), ...(await sendMany(4, "b@school.example"))];
      expect(countOf(both, "delivered")).to.equal(5);
      expect(both.at(-1)).to.deep.include({ kind: "postponed", retryInMs: 3 * 3 * minuteMs });
      expect(countOf(await sendMany(50, "c@home.example"), "delivered")).to.equal(50);
      expect((await send("a@gmail.com", { userId: null })).kind, "a code").to.equal("delivered");
    });

    it("gives those that wait their turns before those that come later", async () => {
      await sendMany(5);
      const first = await send("a@gmail.com", { id: "first" });
      const waitMs = first.kind === "postponed" ? first.retryInMs : 0;
      now += waitMs;
      expect((await send("a@gmail.com", { id: "first" })).kind).to.equal("delivered");
      await send("a@gmail.com", { id: "second" });
      await send("a@gmail.com", { id: "third" });
      now += 4 * minuteMs;
      expect((await send("a@gmail.com", { id: "late" })).kind, "others wait before it").to.equal("postponed");
      expect((await send("a@gmail.com", { id: "second" })).kind).to.equal("delivered");
    });

    it("doubles each day from the first delivery, until there is no limit; a restart forgets nothing", async () => {
      const rates: (number | null)[] = [];
      await sendMany(1);
      for (let day = 0; day < 10; day += 1) {
        const [status] = await readProviders(database().db, now);
        rates.push(status?.perHour ?? null);
        start();
        now += dayMs;
      }
      expect(rates).to.deep.equal([20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, null]);
      expect(countOf(await sendMany(300), "delivered")).to.equal(300);
    });

    it("counts the days only once it takes mail, and spends no hour twice after a restart", async () => {
      answer = () => ({ kind: "temporary", answer: "451 4.3.0 Temporary system problem" });
      await sendMany(1);
      now += 5 * dayMs;
      expect(countOf(await sendMany(10), "postponed")).to.equal(5);
      start();
      expect(countOf(await sendMany(3), "postponed")).to.equal(3);
    });

    it("pauses as long as an answer says, halves the rate once, and lets system mail wait as well", async () => {
      await sendMany(1);
      now += 4 * dayMs;
      answer = () => ({ kind: "temporary", answer: "452 4.7.0 Too many mails, try again in 20 minutes" });
      await Promise.all([1, 2, 3].map(() => send("a@gmail.com")));
      answer = () => delivered;
      const waiting = [await send("a@gmail.com"), await send("b@school.example", { userId: null })];
      expect(waiting.map(({ kind }) => kind)).to.deep.equal(["postponed", "postponed"]);
      const [, code] = waiting;
      expect(code?.kind === "postponed" && code.retryInMs).to.be.within(20 * minuteMs, 22 * minuteMs);
      const [status] = await readProviders(database().db, now);
      expect(status).to.deep.include({
        name: "Gmail and Google Workspace",
        perHour: 160,
        pausedUntil: new Date(now + 20 * minuteMs).toISOString(),
        answer: {
          text: "452 4.7.0 Too many mails, try again in 20 minutes",
          reason: "volume",
          at: new Date(now).toISOString(),
        },
      });
      start();
      expect((await send("a@gmail.com")).kind, "after a restart").to.equal("postponed");
      now += 20 * minuteMs;
      expect((await send("a@gmail.com", { userId: null })).kind).to.equal("delivered");
    });

    it("pauses longer each time an answer names no time, and begins anew once mail is taken", async () => {
      const pauses: number[] = [];
      const pause = async (): Promise<number> => {
        await send("a@gmail.com", { userId: null });
        const [state] = await listProviderStates(database().db);
        const left = (state?.pausedUntil ?? now) - now;
        now += left;
        return left / minuteMs;
      };
      answer = () => limited;
      for (let times = 0; times < 8; times += 1) pauses.push(await pause());
      expect(pauses).to.deep.equal([5, 10, 20, 40, 80, 160, 240, 240]);
      answer = () => delivered;
      now += dayMs;
      await send("a@gmail.com", { userId: null });
      answer = () => limited;
      expect(await pause()).to.equal(5);
    });

    it("shows no address of an answer, and another process sees the pause", async () => {
      const other = limits();
      answer = () => ({ kind: "temporary", answer: "421 4.7.28 [address] unusual rate" });
      await send("someone@gmail.com");
      const google = providerOfServer("x.google.com");
      if (!google) throw new Error("Google is a provider");
      const outcome = await other.run(google, { id: "x", isSystemMail: false }, async () => delivered);
      expect(outcome.kind).to.equal("postponed");
      const text = JSON.stringify(await readProviders(database().db, now));
      expect(text).not.to.contain("@");
    });

    it("in a week in which the provider defers what it does not like, is lost nowhere and delivered in the end", async function () {
      this.timeout(longTestMs);
      interface Waiting {
        readonly id: string;
        readonly createdAt: number;
        attempts: number;
        at: number;
      }
      const began = now;
      const end = began + 7 * dayMs;
      /** It takes so many mails an hour, and for a day nothing at all. */
      const tolerated = (): number => (now - began > 2 * dayMs && now - began < 3 * dayMs ? 0 : 30);
      answer = () => {
        const inLastHour = taken.filter(({ at }) => at > now - hourMs).length;
        return inLastHour < tolerated() ? delivered : limited;
      };
      // A mail each 10 minutes in four days, and 100 at once on the second.
      const arrivals = [
        ...Array.from({ length: 4 * 24 * 6 }, (_, n) => began + n * 10 * minuteMs),
        ...Array.from({ length: 100 }, () => began + dayMs),
      ];
      let queue: Waiting[] = arrivals.map((at, n) => ({ id: `week-${n}`, createdAt: at, attempts: 0, at }));
      let lost = 0;
      while (queue.length > 0 && now < end) {
        now = Math.max(now, Math.min(...queue.map(({ at }) => at)));
        if (now - began > 3.5 * dayMs && now - began < 3.51 * dayMs) start();
        const due = queue.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
        for (const mail of due) {
          const outcome = await delivery.send({
            id: mail.id,
            envelopeSender: "",
            recipient: mail.id.endsWith("3") ? "b@school.example" : "a@gmail.com",
            userId: "u",
            size: 1,
            chunks: () => [],
            createdAt: mail.createdAt,
          });
          if (outcome.kind === "postponed") mail.at = now + outcome.retryInMs;
          else if (outcome.kind === "temporary") {
            mail.attempts += 1;
            const next = nextRetryAt({ ...mail, attemptedAt: now, now, fraction: 0 });
            if (next === null) lost += 1;
            mail.at = next ?? Number.POSITIVE_INFINITY;
          } else queue = queue.filter(({ id }) => id !== mail.id);
        }
      }
      expect({ lost, waiting: queue.length }).to.deep.equal({ lost: 0, waiting: 0 });
      expect(new Set(taken.map(({ id }) => id)).size).to.equal(arrivals.length);
      // On the first day no hour has more than the rate and the burst.
      const firstDay = asked.filter((at) => at < began + dayMs);
      for (const from of firstDay)
        expect(firstDay.filter((at) => at >= from && at < from + hourMs).length).to.be.at.most(
          firstPerHour + firstPerHour / 4,
        );
      // While it takes nothing, it is asked a few times only.
      const closed = asked.filter((at) => at > began + 2.2 * dayMs && at < began + 3 * dayMs);
      expect(closed.length).to.be.within(1, 12);
      const late = taken.filter(({ at }) => at > began + 6 * dayMs);
      expect(late.length, "nothing waits for the last day").to.equal(0);
    });
  });
});
