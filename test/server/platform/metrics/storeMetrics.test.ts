import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { DnsError } from "../../../../server/platform/dns/dnsClient.ts";
import { UseCaseError } from "../../../../server/platform/errors/useCaseError.ts";
import { createCountDns } from "../../../../server/platform/metrics/dnsMetrics.ts";
import { createStoreMetrics } from "../../../../server/platform/metrics/storeMetrics.ts";
import type { Database } from "../../../../server/platform/store/database.ts";
import { GroupCommit } from "../../../../server/platform/store/groupCommit.ts";
import { onEachDatabase } from "../../support/databases.ts";

describe("The metrics of the store", () => {
  onEachDatabase(({ database }) => {
    const setUp = (): {
      readonly registry: Registry;
      readonly watched: Database;
      readonly group: GroupCommit;
    } => {
      const registry = new Registry();
      const metrics = createStoreMetrics(registry);
      const watched = metrics.watch(database());
      return {
        registry,
        watched,
        group: new GroupCommit(watched, { items: 10, weight: 10 }, metrics.onCommit),
      };
    };
    const attempt = async (watched: Database, error: Error): Promise<unknown> =>
      watched.transaction(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

    it("count transactions that the store fails, by kind, and not those that a use case takes back", async () => {
      const { registry, watched } = setUp();
      const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
      for (const error of [full, new Error("Connection terminated"), new UseCaseError("missing", "Nothing.")])
        expect(await attempt(watched, error)).to.equal(error);
      const insert = () =>
        watched.transaction((db) =>
          db.insertInto("lease_holders").values({ id: "one", beat: 1, seen_beat: 0, seen_at: 0 }).execute(),
        );
      await insert();
      const duplicate = await insert().catch((error: unknown) => error);
      expect(watched.engine.isDuplicate(duplicate)).to.equal(true);
      const text = await registry.metrics();
      expect(text).to.contain('bauta_store_errors_total{kind="full"} 1');
      expect(text).to.contain('bauta_store_errors_total{kind="failed"} 0');
      expect(text).to.contain('bauta_store_errors_total{kind="other"} 1');
    });

    it("observe each commit of a group once", async () => {
      const { registry, group } = setUp();
      const submit = group.kind<string, null>(async (_db, items) => items.map(() => null), {
        weightOf: () => 1,
      });
      await Promise.all([submit("a"), submit("b")]);
      await submit("c");
      expect(await registry.metrics()).to.contain("bauta_commit_seconds_count 2");
    });
  });
});

describe("The metrics of DNS", () => {
  it("count answers, queries without one in time, and failures of the resolver", async () => {
    const registry = new Registry();
    const answers = [
      null,
      new DnsError("ETIMEOUT", "a.example"),
      new DnsError("ESERVFAIL", "a.example"),
      new DnsError("EBADNAME", "a..example"),
    ];
    const ask = createCountDns(registry)(async () => {
      const failure = answers.shift();
      if (failure) throw failure;
      return {
        id: 1,
        isResponse: true,
        question: null,
        code: 3,
        data: [],
        ttl: 60,
        isAuthentic: false,
        isTruncated: false,
      };
    });
    for (let n = 0; n < 4; n += 1) await ask("a.example", "A").catch(() => {});
    const text = await registry.metrics();
    for (const result of ["answered", "timeout", "failed"])
      expect(text).to.contain(`bauta_dns_queries_total{result="${result}"} 1`);
  });
});
