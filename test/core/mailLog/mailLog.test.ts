import { expect } from "chai";
import * as E from "fp-ts/lib/Either.js";
import type { LogEntry, LogSettings } from "../../../core/mailLog/logEntry.ts";
import { createMailLogPages, type MailLog } from "../../../core/mailLog/mailLog.ts";
import type { LogFilter } from "../../../core/mailLog/readLog.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import type { Answer, ReceivedRequest } from "../../fakes/fakeHttp.ts";
import { fakeSealText } from "../../fakes/fakeKeyring.ts";
import { createMask } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

const entryOf = (id: string, change: Partial<LogEntry> = {}): LogEntry => ({
  id,
  at: "2026-11-20T08:00:00.000Z",
  direction: "received",
  maskId: "a",
  result: "delivered",
  detail: { from: `${id}@shop.example`, cause: "forwarded" },
  sealed: null,
  steps: [],
  ...change,
});

const all: LogFilter = { maskId: null, direction: null, result: null, text: "" };

describe("The log", () => {
  let fakes: AppOnFakes;
  let log: MailLog;
  let entries: readonly LogEntry[];
  let settings: LogSettings;
  let pageSize: number;
  beforeEach(async () => {
    entries = ["e3", "e2", "e1"].map((id) => entryOf(id));
    settings = { keep: "address", days: 7, encrypted: false };
    pageSize = 2;
    fakes = await startApp({ masks: [createMask("a")] });
    fakes.server.on("GET", "/log", ({ url }: ReceivedRequest): Answer => {
      const query = new URL(url, "https://app.example").searchParams;
      const found = entries.filter(
        ({ direction, result, detail }) =>
          (query.get("direction") ?? direction) === direction &&
          (query.get("result") ?? result) === result &&
          (detail?.from ?? "").includes(query.get("q") ?? ""),
      );
      const older = found.slice(found.findIndex(({ id }) => id === query.get("before")) + 1);
      return { json: { settings, mails: older.slice(0, pageSize), more: older.length > pageSize } };
    });
    fakes.server.on("PUT", "/log/settings", ({ body }: ReceivedRequest): Answer => {
      settings = { ...settings, ...(body as Pick<LogSettings, "keep">) };
      if (settings.keep === "off") entries = [];
      return { json: settings };
    });
    log = fakes.signedIn().feature(createMailLogPages);
    await settled();
    fakes.sockets.latest().accept();
    fakes.sockets.latest().push({ type: "auth_response", data: { success: true } });
    await settled();
  });
  afterEach(() => fakes.stop());

  const open = async (filter: Partial<LogFilter> = {}): Promise<() => void> => {
    const close = log.open({ ...all, ...filter });
    await settled();
    return close;
  };
  const listed = () => log.view$.value.entries?.map(({ id }) => id);
  const lastUrl = () => fakes.server.requestsTo("GET /log").at(-1)?.url ?? "";

  it("shows the newest entries, older ones page by page, and new ones when the server tells of them", async () => {
    await open();
    expect([listed(), log.view$.value.more]).to.deep.equal([["e3", "e2"], true]);
    await log.showOlder()();
    expect([listed(), log.view$.value.more]).to.deep.equal([["e3", "e2", "e1"], false]);
    entries = [entryOf("e4"), ...entries];
    fakes.sockets.latest().push({ type: "data_update", data: { resource: "log", action: "updated" } });
    await fakes.clock.advance(2_000);
    await settled();
    expect(listed()).to.deep.equal(["e4", "e3", "e2", "e1"]);
  });

  it("asks for the mail that was sent, and keeps no page of it", async () => {
    await open();
    const kept = localStorageText();
    entries = [
      entryOf("e4", { direction: "sent", detail: { from: "", to: ["bob@e4.example"], cause: "sent" } }),
      ...entries,
    ];
    await open({ direction: "sent" });
    expect(new URL(lastUrl(), "https://app.example").search).to.equal("?direction=sent");
    expect(listed()).to.deep.equal(["e4"]);
    expect(localStorageText()).to.equal(kept);
  });

  it("asks for one mask, one result and a text, which the server searches where nothing is encrypted", async () => {
    await open();
    await open({ maskId: "a", result: "blocked", text: " e1 " });
    expect(new URL(lastUrl(), "https://app.example").search).to.equal("?maskId=a&result=blocked&q=e1");
    expect(listed()).to.deep.equal([]);
    await open({ text: "e1" });
    expect(listed()).to.deep.equal(["e1"]);
  });

  it("reads encrypted entries with the keys of this device, and counts those that it cannot read", async () => {
    const { keyring } = fakes.keys;
    const made = await keyring.create(
      fakes.app.session.state$.value.kind === "signed-in" ? fakes.app.session.state$.value.user.email : "",
    )();
    const publicKey = E.isRight(made) ? made.right.publicKey : "";
    const sealed = await fakeSealText(JSON.stringify({ from: "s@shop.example", cause: "spam" }), publicKey);
    const answer = await fakeSealText(JSON.stringify({ to: "me@home.example", answer: "250 ok" }), publicKey);
    const step = { state: "delivered" as const, at: "2026-11-20T08:00:01.000Z", times: 1, detail: null };
    settings = { ...settings, encrypted: true };
    entries = [
      entryOf("mine", { detail: null, sealed, steps: [{ ...step, sealed: answer }] }),
      entryOf("other", { detail: null, sealed: "AAAA" }),
    ];
    await open();
    const [mine] = log.view$.value.entries ?? [];
    expect(mine?.detail).to.deep.equal({ from: "s@shop.example", cause: "spam" });
    expect(mine?.steps[0]?.detail).to.deep.equal({ to: "me@home.example", answer: "250 ok" });
    expect(log.view$.value.unread).to.equal(1);
    await open({ text: "S@SHOP" });
    expect(lastUrl()).not.to.contain("q=");
    expect(listed()).to.deep.equal(["mine"]);
    expect(localStorageText()).not.to.contain("s@shop.example");
  });

  const localStorageText = (): string => fakes.storage.local.read("cached_log") ?? "";

  it("shows the last page without a network, until the log is switched off", async () => {
    await open();
    expect(localStorageText()).to.contain("e3@shop.example");
    await log.setMode("off")();
    expect(localStorageText()).not.to.contain("e3@shop.example");
    expect([log.view$.value.settings?.keep, listed()]).to.deep.equal(["off", []]);
    expect(fakes.app.toasts.list$.value.at(-1)?.text).to.equal("Log off: its entries are deleted");
  });

  it("shows the page of an earlier visit while the server cannot be reached, and says so", async () => {
    (await open())();
    const { storage } = fakes;
    fakes.stop();
    fakes = await startApp({
      storage,
      masks: [createMask("a")],
      before: ({ server }) => server.on("GET", "/log", () => "unreachable"),
    });
    log = fakes.signedIn().feature(createMailLogPages);
    await open();
    expect(listed()).to.deep.equal(["e3", "e2"]);
    await fakes.clock.advance(60_000);
    await settled();
    expect([listed(), log.view$.value.message]).to.deep.equal([
      ["e3", "e2"],
      "Connection issue. Please try again later.",
    ]);
  });

  it("is exported completely, with its progress", async () => {
    const seen: (number | null)[] = [];
    const watching = log.exported$.subscribe((count) => seen.push(count));
    const csv = await log.exportAll("csv")();
    const json = await log.exportAll("json")();
    watching.unsubscribe();
    expect(seen).to.deep.equal([null, 0, 2, 3, null, 0, 2, 3, null]);
    const lines = E.isRight(csv) ? csv.right.content.trim().split("\r\n") : [];
    expect(lines.map((line) => line.split(",")[3])).to.deep.equal([
      "sender",
      "e3@shop.example",
      "e2@shop.example",
      "e1@shop.example",
    ]);
    const list = E.isRight(json) ? (JSON.parse(json.right.content) as { why: string[] }[]) : [];
    expect(list.map(({ why }) => why)).to.deep.equal([
      ["No rule or setting stopped it, so it was forwarded."],
      ["No rule or setting stopped it, so it was forwarded."],
      ["No rule or setting stopped it, so it was forwarded."],
    ]);
  });
});
