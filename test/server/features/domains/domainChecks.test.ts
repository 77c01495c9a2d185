import { expect } from "chai";
import { lapseDays } from "../../../../core/domains/domain.ts";
import { dayMs, hourMs, minuteMs } from "../../../../core/kernel/durations.ts";
import { createCheckDomain, createDomainChecks } from "../../../../server/features/domains/checkDomain.ts";
import type { DomainRow } from "../../../../server/features/domains/domainTables.ts";
import { createResolver } from "../../../../server/features/operator/installationChecks.ts";
import { createVirtualClock, startsAt, type VirtualClock } from "../../../fakes/virtualClock.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { type DnsStub, startDnsStub, type Zone } from "../../support/dnsStub.ts";
import { type RunningListener, silent, startListener } from "../../support/listener.ts";
import { addDomain, addMask, addOwner, type Owner } from "../../support/owners.ts";
import { secrets } from "../../support/secrets.ts";
import { until } from "../../support/until.ts";

const name = "own.example";
const withProof: Zone = { [name]: { TXT: ["bauta-verification=t"], MX: ["10 masks.example"] } };
const withoutProof: Zone = { [name]: { TXT: ["v=spf1 -all"], MX: ["10 masks.example"] } };
const failing: Zone = { [name]: "SERVFAIL", [`_dmarc.${name}`]: "SERVFAIL" };
const everyMs = 5 * minuteMs;

describe("The domains of users, checked again from time to time", () => {
  onEachDatabase(({ database }) => {
    let owner: Owner;
    let dns: DnsStub;
    let relay: RunningListener;
    /** Its timers run by the scheduler, apart from the time of day, so that a slow query shifts nothing. */
    let clock: VirtualClock;
    let now: number;
    let stop: () => void;
    /** The domains whose checks have ended, in their order. */
    let checked: string[];
    let broken: string | null;

    beforeEach(async () => {
      now = startsAt;
      checked = [];
      broken = null;
      clock = { ...createVirtualClock(), now: () => now };
      dns = await startDnsStub(withProof);
      owner = await addOwner(database().db, "business");
      relay = await startListener(database(), clock, { secrets });
      const check = createCheckDomain({
        database: database(),
        dns: createResolver(dns.address),
        clock,
        options: { maskDomain: "masks.example" },
      });
      const task = createDomainChecks({
        database: database(),
        clock,
        log: silent,
        checkDomain: async (domain) => {
          if (domain.name !== broken) await check(domain);
          checked.push(domain.name);
          if (domain.name === broken) throw new Error("it cannot be checked");
        },
      });
      stop = task.start();
    });
    afterEach(async () => {
      stop();
      await relay.close();
      await dns.close();
    });

    const add = (change: Partial<DomainRow> = {}, as = name): Promise<void> =>
      addDomain(
        database().db,
        owner,
        { catch_all: "all", proven_at: startsAt, next_check_at: now, created_at: startsAt, ...change },
        as,
      );
    const row = (of = name): Promise<DomainRow> =>
      database().db.selectFrom("domains").selectAll().where("name", "=", named(of)).executeTakeFirstOrThrow();
    const notices = async (): Promise<readonly string[]> =>
      (
        await database()
          .db.selectFrom("notifications")
          .where("user_id", "!=", bystander.id)
          .select("message")
          .execute()
      ).map(({ message }) => message);
    /** Lets the task run once, when a domain is due, until it has ended a check. */
    const untilChecked = async (): Promise<void> => {
      const { length } = checked;
      await clock.advance(length === 0 ? 0 : everyMs);
      await until("a domain is checked", () => checked.length > length);
    };
    const checkedAfter = async (ms: number, zone?: Zone): Promise<DomainRow> => {
      now += ms;
      if (zone) dns.zone = zone;
      await untilChecked();
      return row();
    };
    /** Whether the next check is due only after a time. */
    const rests = async (ms: number): Promise<void> => {
      expect(Number((await row()).next_check_at)).to.equal(now + ms);
    };
    const send = async (to: string): Promise<string> => {
      const content = ["From: shop@sender.example", "Subject: Order", "", "On its way.", ""].join("\r\n");
      return (await relay.connect()).mail("shop@sender.example", [`${to}@${name}`], content);
    };

    it("keep masks when the proof lapses, tell that once, and get no masks by mail after 14 days", async () => {
      await add();
      await addMask(database().db, owner, { email: `first@${name}` });
      expect((await checkedAfter(0)).lapsed_at).to.equal(null);
      await rests(dayMs);

      const lapse = now + dayMs;
      expect(Number((await checkedAfter(dayMs, withoutProof)).lapsed_at)).to.equal(lapse);
      await rests(dayMs);
      expect(await notices()).to.deep.equal([
        `The TXT record that proves your domain ${name} is missing. Its masks keep working. Restore the record so that nobody else can take the domain.`,
      ]);
      expect(await send("first")).to.match(/^250/);
      expect(await send("second")).to.match(/^250/);

      for (let day = 1; day < lapseDays; day += 1) await checkedAfter(dayMs);
      now = lapse + lapseDays * dayMs - 1;
      expect(await send("third")).to.match(/^250/);
      now += 1;
      expect(await send("fourth")).to.match(/^550 5\.1\.1/);
      for (const mask of ["first", "second", "third"]) expect(await send(mask)).to.match(/^250/);
      const after = await checkedAfter(0);
      expect([Number(after.proven_at), Number(after.lapsed_at)]).to.deep.equal([startsAt, lapse]);
      expect((await notices()).filter((text) => text.includes("is missing"))).to.have.length(1);
    });

    it("are as before once the proof is back, and tell its next lapse again", async () => {
      await add({ lapsed_at: startsAt - lapseDays * dayMs });
      expect(await send("early")).to.match(/^550 5\.1\.1/);
      expect((await checkedAfter(0)).lapsed_at).to.equal(null);
      expect(await send("early")).to.match(/^250/);
      await checkedAfter(dayMs, withoutProof);
      expect((await notices()).filter((text) => text.includes("is missing"))).to.have.length(1);
    });

    it("stay as they are while DNS does not answer, proven or lapsed", async () => {
      await add();
      await checkedAfter(0);
      const before = await row();
      for (let day = 0; day < lapseDays + 2; day += 1) await checkedAfter(dayMs, failing);
      const { proven_at, lapsed_at } = await row();
      expect([proven_at, lapsed_at]).to.deep.equal([before.proven_at, null]);
      expect(await notices()).to.deep.equal([]);
      expect(await send("new")).to.match(/^250/);

      const lapsed = (await checkedAfter(dayMs, withoutProof)).lapsed_at;
      expect((await checkedAfter(dayMs, failing)).lapsed_at).to.equal(lapsed);
      expect((await checkedAfter(dayMs, withProof)).lapsed_at).to.equal(null);
    });

    it("are checked often on their first day, then rarely, and no more after 14 days without a proof", async () => {
      await add({ proven_at: null });
      await checkedAfter(0, withoutProof);
      await rests(10 * minuteMs);
      await checkedAfter(dayMs);
      await rests(6 * hourMs);
      await checkedAfter(14 * dayMs);
      expect((await row()).next_check_at).to.equal(null);
      expect(await notices()).to.deep.equal([]);
    });

    it("are proven by the task alone when the record appears, and then take mail", async () => {
      await add({ proven_at: null });
      await checkedAfter(0, withoutProof);
      expect(await send("shop")).to.match(/^550 5\.7\.1 Relaying refused/);
      expect(Number((await checkedAfter(10 * minuteMs, withProof)).proven_at)).to.equal(now);
      await rests(dayMs);
      expect(await send("shop")).to.match(/^250/);
    });

    it("wait an hour after a check that fails, and hold up no other domain", async () => {
      broken = "broken.example";
      await add({ next_check_at: startsAt - 1 }, broken);
      await add();
      await untilChecked();
      await untilChecked();
      expect(checked).to.deep.equal([broken, name]);
      expect(Number((await row(broken)).next_check_at)).to.equal(now + hourMs);
      now += hourMs;
      await untilChecked();
      expect(checked).to.deep.equal([broken, name, broken]);
    });
  });
});
