import { expect } from "chai";
import {
  createTlsPolicies,
  isInPolicy,
  type TlsPolicies,
} from "../../../../server/delivery/direct/tlsPolicies.ts";
import { pruneTlsPolicies } from "../../../../server/delivery/direct/tlsPolicyQueries.ts";
import { DnsError } from "../../../../server/platform/dns/dnsClient.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { createVirtualClock, type VirtualClock } from "../../../fakes/virtualClock.ts";
import { onEachDatabase } from "../../support/databases.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describe("The policy of a domain for TLS (MTA-STS)", () => {
  onEachDatabase(({ database, another }) => {
    let clock: VirtualClock;
    /** The TXT record of the domain; null when DNS does not answer, empty without one. */
    let record: string | null;
    let policy: { mode: "enforce" | "testing" | "none"; mx: string[]; maxAge: number } | null;
    let fetches: number;
    const failures: string[] = [];

    const create = (on: Database = database()): TlsPolicies =>
      createTlsPolicies({
        db: on.db,
        clock,
        onFailed: (result) => failures.push(result),
        resolve: async (name) => {
          if (record === null) throw new DnsError("ESERVFAIL", name);
          if (record === "") throw new DnsError("ENOTFOUND", name);
          return [[record]];
        },
        fetchPolicy: async () => {
          fetches += 1;
          if (!policy) throw Object.assign(new Error("no answer"), { code: "ECONNREFUSED" });
          return policy;
        },
      });
    const modeOf = async (policies: TlsPolicies): Promise<string> =>
      (await policies.find("home.example"))?.mode ?? "no policy";

    beforeEach(() => {
      clock = createVirtualClock();
      record = "v=STSv1; id=1;";
      policy = { mode: "enforce", mx: ["*.home.example"], maxAge: 10 * 86_400 };
      fetches = 0;
      failures.length = 0;
    });

    it("is fetched once while its id is the same, also by several mails at once", async () => {
      const policies = create();
      await Promise.all([modeOf(policies), modeOf(policies)]);
      expect(await modeOf(policies)).to.equal("enforce");
      expect(fetches).to.equal(1);
    });

    it("is absent without a record, without asking the host", async () => {
      record = "";
      expect(await modeOf(create())).to.equal("no policy");
      record = "v=STSv1; no id";
      expect(await modeOf(create())).to.equal("no policy");
      expect(fetches).to.equal(0);
    });

    it("holds until it ends when the record, DNS and its host are gone, also after a restart", async () => {
      expect(await modeOf(create())).to.equal("enforce");
      policy = null;
      for (const gone of ["", null, "v=STSv1; id=2;"]) {
        record = gone;
        expect(await modeOf(create()), `record ${gone}`).to.equal("enforce");
        expect(await modeOf(create(await another())), `record ${gone}`).to.equal("enforce");
      }
      await clock.advance(10 * day + minute);
      expect(await modeOf(create())).to.equal("no policy");
    });

    it("is replaced when its id changes", async () => {
      const policies = create();
      await modeOf(policies);
      record = "v=STSv1; id=2;";
      policy = { mode: "none", mx: [], maxAge: 86_400 };
      expect(await modeOf(policies)).to.equal("none");
      expect(fetches).to.equal(2);
    });

    it("is fetched again each day, so that it does not end while it is used", async () => {
      const policies = create();
      for (let days = 0; days < 15; days += 1) {
        expect(await modeOf(policies)).to.equal("enforce");
        await clock.advance(day + minute);
      }
      expect(fetches).to.equal(15);
    });

    it("is not asked for again for 5 minutes when its host does not answer, and the failure is counted", async () => {
      const policies = create();
      policy = null;
      expect(await modeOf(policies)).to.equal("no policy");
      expect(await modeOf(policies)).to.equal("no policy");
      expect([fetches, failures]).to.deep.equal([1, ["sts-policy-fetch-error"]]);
      await clock.advance(6 * minute);
      policy = { mode: "testing", mx: ["mx.home.example"], maxAge: 86_400 };
      expect(await modeOf(policies)).to.equal("testing");
    });

    it("is deleted once it has ended", async () => {
      await modeOf(create());
      const count = async () =>
        (await database().db.selectFrom("tls_policies").select("domain").execute()).length;
      await pruneTlsPolicies(database().db, clock.now());
      expect(await count()).to.equal(1);
      await pruneTlsPolicies(database().db, clock.now() + 10 * day);
      expect(await count()).to.equal(0);
    });

    it("names mail servers, a star being one label", async () => {
      const found = await create().find("home.example");
      const names = [
        "mx.home.example",
        "MX.home.example.",
        "a.b.home.example",
        "home.example",
        "mx.evil.example",
      ];
      expect(names.map((name) => found && isInPolicy(found, name))).to.deep.equal([
        true,
        true,
        false,
        false,
        false,
      ]);
    });
  });
});
