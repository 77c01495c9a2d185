import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { left, right } from "fp-ts/lib/Either.js";
import { VirtualTimeScheduler } from "rxjs";
import { attemptDelayMs } from "../../../../core/kernel/attemptDelay.ts";
import { isRetryable, network, refused, timeout, unreadable } from "../../../../core/kernel/failure.ts";
import { socketFirst } from "../../../../core/rules/editing/reloadRules.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import {
  addChange,
  markFailed,
  markSaved,
  markSending,
  type PendingRecord,
  shownRules,
  type VersionedRules,
} from "../../../../core/rules/sync/pendingRecord.ts";
import { isOffline, isOfflineMessage } from "../../../../core/rules/sync/saveFailure.ts";
import { pendingMessage, roundEndToast } from "../../../../core/rules/sync/syncView.ts";

const rule = (id: string): Rule => ({
  id,
  name: id,
  type: "limit",
  enabled: true,
  conditions: [{ field: "subject", operator: "contains", value: [id] }],
  actions: [{ type: "archive", params: { markAsRead: false } }],
});
const known: VersionedRules = { etag: "v1", rules: [rule("x")] };
const pending = (): PendingRecord => {
  const record = addChange(null, known, { before: known.rules, rules: [rule("x"), rule("a")] }, 1_000);
  if (!record) throw new Error("nothing is pending");
  return record;
};
const sent = (): ReturnType<typeof markSending> => markSending(pending(), () => "id-1", 2_000);

describe("Unsent rules", () => {
  it("contain the wanted list, its base, the time, and the number of attempts", () => {
    expect(pending()).to.deep.equal({
      rules: [rule("x"), rule("a")],
      base: known,
      timestamp: 1_000,
      attempts: 0,
      lastAttempt: null,
      lastError: null,
    });
  });

  it("keep a deletion that another tab has not loaded, whose rule there is an older version", () => {
    const at = (name: string, updatedAt: string): Rule => ({ ...rule("x"), name, updatedAt });
    const [older, newer] = [at("older", "2026-11-20T09:00:00.000Z"), at("newer", "2026-11-20T09:01:00.000Z")];
    const stale: VersionedRules = { etag: "v1", rules: [older] };
    const deleted = addChange(null, { etag: "v2", rules: [newer] }, { before: [newer], rules: [] }, 1_000);
    expect(shownRules(stale, deleted)).to.deep.equal([]);
    const after = addChange(deleted, stale, { before: [], rules: [rule("a")] }, 2_000);
    expect(after).to.deep.include({ base: { etag: "v2", rules: [newer] }, rules: [rule("a")] });
  });

  it("keep the id and the content of what was sent until there is an answer", () => {
    const again = markSending(sent(), () => "id-2", 3_000);
    expect(again.sent).to.deep.equal({ requestId: "id-1", rules: [rule("x"), rule("a")] });
    expect(again.lastAttempt).to.equal(3_000);
  });

  it("are removed by their answer, and not changed by an answer to another request", () => {
    const answer: VersionedRules = { etag: "v2", rules: [rule("x"), rule("a")] };
    expect(markSaved(sent(), "id-1", answer)).to.equal(null);
    expect(markSaved(sent(), "id-0", answer)).to.deep.equal(sent());
  });

  it("count a failure and store its message; they are sent again unchanged unless the server certainly has not saved them", () => {
    for (const failure of [network("x"), timeout(15_000), refused(503), unreadable("y", [])]) {
      const after = markFailed(sent(), "id-1", failure, "why");
      expect(after).to.deep.include({ attempts: 1, lastError: "why" });
      expect(after?.sent?.requestId).to.equal("id-1");
      expect(after).not.to.have.property("refused");
    }
    const busy = markFailed(sent(), "id-1", refused(429), "why");
    expect(busy).not.to.have.any.keys("sent", "refused");
    const bad = markFailed(sent(), "id-1", refused(400), "why");
    expect(bad).not.to.have.property("sent");
    expect(bad?.refused).to.equal(400);
  });

  it("wait 2 s, 4 s, 8 s and so on, ±20 %, at most the time between two checks", () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((n) => attemptDelayMs(n, 30_000, 0.5))).to.deep.equal([
      0, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
    expect(attemptDelayMs(1, 30_000, 0)).to.equal(1_600);
    expect(attemptDelayMs(6, 120_000, 0)).to.equal(51_200);
    expect(attemptDelayMs(9, 120_000, 0.9)).to.equal(120_000);
  });
});

describe("An offline failure", () => {
  it("is recognized by the messages Network Error and Failed to fetch, or by the browser's state", () => {
    expect(isOfflineMessage("AxiosError: Network Error", true)).to.equal(true);
    expect(isOfflineMessage("TypeError: Failed to fetch", true)).to.equal(true);
    expect(isOfflineMessage("Rule name is required", true)).to.equal(false);
    expect(isOfflineMessage("Rule name is required", false)).to.equal(true);
  });

  it("is recognized by a request without an answer", () => {
    expect(isOffline(network("load failed"), true)).to.equal(true);
    expect(isOffline(timeout(15_000), true)).to.equal(true);
    expect(isOffline(refused(500), true)).to.equal(false);
    expect(isOffline(refused(502, "Network Error"), true)).to.equal(true);
    expect(isOffline(refused(400), false)).to.equal(true);
  });

  it("is retried, and so are 5xx, 401, 408 and 429, but not 400, 403, 404, 409 and 422", () => {
    expect([500, 502, 503, 401, 408, 425, 429].every((status) => isRetryable(refused(status)))).to.equal(
      true,
    );
    expect([400, 403, 404, 409, 412, 413, 422].some((status) => isRetryable(refused(status)))).to.equal(
      false,
    );
    expect(isRetryable(network("x"))).to.equal(true);
  });
});

describe("The messages about syncing", () => {
  it("are the sentences of the specification", () => {
    expect(pendingMessage(2, 5)).to.equal("2 mask(s) with 5 rule(s) pending sync");
    const ending = { synced: 0, remaining: 0, failed: 0, reason: null, offline: false };
    expect(roundEndToast(ending)).to.equal(null);
    expect(roundEndToast({ ...ending, synced: 3 })?.text).to.equal("Successfully synced rules for 3 mask(s)");
    expect(roundEndToast({ ...ending, synced: 1, remaining: 2, failed: 2, reason: "no" })?.text).to.equal(
      "2 mask(s) still pending sync",
    );
    expect(roundEndToast({ ...ending, remaining: 2, failed: 1, reason: "x", offline: true })?.text).to.equal(
      "Sync failed. Will retry when online.",
    );
    expect(roundEndToast({ ...ending, remaining: 1, failed: 1, reason: "Too many rules" })?.text).to.equal(
      "Failed to sync rules: Too many rules",
    );
  });
});

describe("A sync over the socket", () => {
  it("that has not finished within 5 s is repeated over HTTP, once", async () => {
    const scheduler = new VirtualTimeScheduler();
    let requestCount = 0;
    let finish = (): void => undefined;
    const overSocket = () =>
      new Promise<ReturnType<typeof right<string>>>((resolve) => {
        finish = () => resolve(right("socket"));
      });
    const overHttp = () => {
      requestCount += 1;
      return Promise.resolve(right("http"));
    };
    const outcome = socketFirst(scheduler, overSocket, overHttp)();
    scheduler.maxFrames = 4_999;
    scheduler.flush();
    expect(requestCount).to.equal(0);
    scheduler.maxFrames = 5_000;
    scheduler.flush();
    await setImmediate();
    expect(requestCount).to.equal(1);
    finish();
    expect(await outcome).to.deep.equal(right("http"));
    expect(requestCount).to.equal(1);
  });

  it("that finishes in time, or fails, is not repeated over HTTP", async () => {
    const scheduler = new VirtualTimeScheduler();
    const http = () => Promise.resolve(right("http"));
    expect(await socketFirst(scheduler, () => Promise.resolve(right("socket")), http)()).to.deep.equal(
      right("socket"),
    );
    expect(await socketFirst(scheduler, () => Promise.resolve(left(network("x"))), http)()).to.deep.equal(
      right("http"),
    );
  });
});
