import { expect } from "chai";
import { cryptoRandom } from "../../../../../adapters/system/clockAndRandom.ts";
import { dayMs } from "../../../../../core/kernel/durations.ts";
import { createTlsReportCounts } from "../../../../../server/delivery/direct/tlsReportCounts.ts";
import {
  createSendTlsReports,
  reportRecipients,
} from "../../../../../server/features/reports/sent/sendTlsReports.ts";
import { toTlsReport } from "../../../../../server/features/reports/sent/tlsReportMail.ts";
import { named } from "../../../../support/domainNames.ts";
import { bystander } from "../../../support/bystander.ts";
import { onEachDatabase } from "../../../support/databases.ts";

describe("A report of TLS to another domain", () => {
  it("goes to the addresses that its record names, if there is one record", () => {
    const to = (...texts: readonly string[]) => reportRecipients(texts);
    expect(to("v=TLSRPTv1; rua=mailto:a@b.example")).to.deep.equal(["a@b.example"]);
    expect(
      to("v=TLSRPTv1;rua=https://b.example/r,mailto:a@b.example?x=y , mailto:c@b.example"),
    ).to.deep.equal(["a@b.example", "c@b.example"]);
    for (const texts of [
      [],
      ["v=TLSRPTv1"],
      ["v=TLSRPTv2; rua=mailto:a@b.example"],
      ["v=TLSRPTv1; rua=mailto:no address"],
      ["v=TLSRPTv1; rua=mailto:a@b.example", "v=TLSRPTv1; rua=mailto:c@b.example"],
    ])
      expect(to(...texts), texts.join(" and ")).to.deep.equal([]);
  });

  it("says what succeeded and what failed, by the policy", () => {
    const report = toTlsReport(
      {
        maskDomain: named("masks.example"),
        domain: "home.example",
        day: "2026-11-20",
        policyLines: ["version: STSv1", "mode: enforce", "mx: mx.home.example", "max_age: 86400"],
        counts: [
          { policy: "sts", result: "success", server: "mx.home.example", count: 7 },
          { policy: "sts", result: "certificate-expired", server: "mx.home.example", count: 2 },
          { policy: "sts", result: "sts-policy-fetch-error", server: "", count: 1 },
          { policy: "dane", result: "success", server: "mx.home.example", count: 3 },
        ],
      },
      "id",
    );
    expect(report.policies).to.deep.equal([
      {
        policy: {
          "policy-type": "sts",
          "policy-string": ["version: STSv1", "mode: enforce", "mx: mx.home.example", "max_age: 86400"],
          "policy-domain": "home.example",
        },
        summary: { "total-successful-session-count": 7, "total-failure-session-count": 3 },
        "failure-details": [
          {
            "result-type": "certificate-expired",
            "receiving-mx-hostname": "mx.home.example",
            "failed-session-count": 2,
          },
          { "result-type": "sts-policy-fetch-error", "failed-session-count": 1 },
        ],
      },
      {
        policy: { "policy-type": "tlsa", "policy-domain": "home.example" },
        summary: { "total-successful-session-count": 3, "total-failure-session-count": 0 },
        "failure-details": [],
      },
    ]);
  });

  onEachDatabase(({ database }) => {
    let now = Date.UTC(2026, 10, 20, 9);
    const clock = { now: () => now };
    const left = async () =>
      (await database().db.selectFrom("tls_report_counts").selectAll().execute()).length;
    const queued = async () =>
      (
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .selectAll()
          .execute()
      ).length;
    const sendWith = (resolveTxt: (name: string) => Promise<string[][]>) =>
      createSendTlsReports({
        database: database(),
        maskDomain: named("masks.example"),
        dns: { resolveTxt },
        clock,
        random: cryptoRandom,
        onQueued: () => {},
      });
    const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
    beforeEach(async () => {
      now = Date.UTC(2026, 10, 20, 9);
      const counts = createTlsReportCounts({ db: database().db, clock });
      for (const _ of [1, 2]) {
        counts.add("home.example", [{ policy: "none", result: "success", server: "mx.home.example" }]);
        await counts.flush();
      }
      now += dayMs;
    });

    it("is not sent where no record asks for it, and nothing is kept", async () => {
      await sendWith(failing("ENOTFOUND"))();
      expect([await left(), await queued()]).to.deep.equal([0, 0]);
    });

    it("waits while DNS does not answer, for two days", async () => {
      await sendWith(failing("ETIMEOUT"))();
      expect(await left()).to.equal(1);
      now += 3 * dayMs;
      await sendWith(failing("ETIMEOUT"))();
      expect([await left(), await queued()]).to.deep.equal([0, 0]);
    });

    it("is sent once, also by two processes at the same time", async () => {
      const record = async () => [["v=TLSRPTv1; rua=", "mailto:a@home.example"]];
      await Promise.all([sendWith(record)(), sendWith(record)()]);
      expect([await left(), await queued()]).to.deep.equal([0, 1]);
    });
  });
});
