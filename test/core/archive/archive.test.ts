import { expect } from "chai";
import { type Archive, createArchive } from "../../../core/archive/archive.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import type { Answer, ReceivedRequest } from "../../fakes/fakeHttp.ts";
import { createMask } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

const mailsOnPage = 2;

/** Answers as the server does: the newest page, or the page of mails older than `before`. */
const listOf =
  (ids: readonly string[]) =>
  ({ url }: ReceivedRequest): Answer => {
    const query = new URL(url, "https://app.example").searchParams;
    const older = ids.slice(ids.indexOf(query.get("before") ?? "") + 1);
    return {
      json: {
        mails: older.slice(0, mailsOnPage).map((id) => ({
          id,
          maskId: query.get("maskId"),
          size: 1_000,
          read: false,
          archived: "2026-11-20T08:00:00.000Z",
        })),
        more: older.length > mailsOnPage,
        storage: { used: 1_000 * ids.length, limit: 1_000_000 },
      },
    };
  };

describe("The archive", () => {
  let fakes: AppOnFakes;
  let archive: Archive;
  beforeEach(async () => {
    fakes = await startApp({ masks: [createMask("a"), createMask("b")] });
    fakes.server.on("GET", "/archive", listOf(["m5", "m4", "m3", "m2", "m1"]));
    archive = fakes.signedIn().feature(createArchive);
    await settled();
    fakes.sockets.latest().accept();
    fakes.sockets.latest().push({ type: "auth_response", data: { success: true } });
    await settled();
  });
  afterEach(() => fakes.stop());

  const requestCount = (): number => fakes.server.requestsTo("GET /archive").length;
  const listed = () => archive.view$.value.page?.mails.map(({ id }) => id);
  const move = async (resource = "masks"): Promise<void> => {
    fakes.sockets
      .latest()
      .push({ type: "data_update", data: { resource, action: "updated", resourceId: "a" } });
    await settled();
  };

  it("is not requested before it is opened, nor after it is closed, whatever mail arrives", async () => {
    await move();
    expect(requestCount()).to.equal(0);
    const close = archive.open("a");
    await settled();
    expect(requestCount()).to.equal(1);
    close();
    await move();
    await fakes.clock.advance(5_000);
    expect(requestCount()).to.equal(1);
  });

  it("is updated while it is open, at most every 2,000 ms", async () => {
    archive.open("a");
    await settled();
    for (let mail = 0; mail < 20; mail += 1) await move();
    expect(requestCount()).to.equal(1);
    await fakes.clock.advance(1_999);
    expect(requestCount()).to.equal(1);
    await fakes.clock.advance(1);
    expect(requestCount()).to.equal(2);
    await fakes.clock.advance(5_000);
    expect(requestCount()).to.equal(2);
    await move("archive");
    expect(requestCount()).to.equal(3);
    await move("notifications");
    await fakes.clock.advance(5_000);
    expect(requestCount()).to.equal(3);
  });

  it("is not updated while the page is hidden, and is at once when it is visible again", async () => {
    archive.open("a");
    await settled();
    fakes.tabs.visible$.set(false);
    await move();
    await fakes.clock.advance(5_000);
    expect(requestCount()).to.equal(1);
    fakes.tabs.visible$.set(true);
    await settled();
    expect(requestCount()).to.equal(2);
  });

  it("is that of the mask opened last, whenever the one before is closed", async () => {
    const close = archive.open("a");
    await settled();
    archive.open("b");
    close();
    await settled();
    expect(archive.view$.value.page?.mails[0]?.maskId).to.equal("b");
    await fakes.clock.advance(2_000);
    await move();
    expect(requestCount()).to.equal(3);
  });

  it("lists older mails page by page, and keeps them when it is reloaded", async () => {
    archive.open("a");
    await settled();
    expect(listed()).to.deep.equal(["m5", "m4"]);
    await archive.showOlder()();
    expect(listed()).to.deep.equal(["m5", "m4", "m3", "m2"]);
    expect(archive.view$.value.page?.more).to.equal(true);
    await archive.showOlder()();
    expect(listed()).to.deep.equal(["m5", "m4", "m3", "m2", "m1"]);
    expect(archive.view$.value.page?.more).to.equal(false);
    fakes.server.on("GET", "/archive", listOf(["m6", "m5", "m4", "m2", "m1"]));
    await archive.refresh()();
    expect(listed()).to.deep.equal(["m6", "m5", "m4", "m2", "m1"]);
  });

  it("shows why it cannot be loaded, and keeps the mails shown before", async () => {
    archive.open("a");
    await settled();
    fakes.server.on("GET", "/archive", { status: 400 });
    await archive.refresh()();
    expect(archive.view$.value.message).to.equal("Failed to load the archive");
    expect(listed()).to.deep.equal(["m5", "m4"]);
  });
});
