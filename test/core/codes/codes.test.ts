import { expect } from "chai";
import { codeLimits } from "../../../core/codes/codeEndpoints.ts";
import { type Codes, createCodes } from "../../../core/codes/codes.ts";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { fakeSealText } from "../../fakes/fakeKeyring.ts";
import { createMask } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

const shop: Mask = createMask("a", { description: "Shop", settings: { showCodes: true } });

describe("The codes on the page", () => {
  let fakes: AppOnFakes;
  let codes: Codes;
  let stored: readonly object[];

  const codeOf = (id: string, more: object) => ({
    id,
    maskId: "a",
    receivedAt: new Date(fakes.clock.now()).toISOString(),
    expiresAt: new Date(fakes.clock.now() + codeLimits.minutes * minuteMs).toISOString(),
    ...more,
  });
  const start = async (masks: readonly Mask[]): Promise<void> => {
    fakes = await startApp({ masks });
    fakes.server.on("GET", "/codes", () => ({ json: { codes: stored } }));
    fakes.server.on("DELETE", "/masks/a/codes/1", () => ({ json: null }));
    codes = fakes.signedIn().feature(createCodes);
    await settled();
    fakes.sockets.latest().accept();
    fakes.sockets.latest().push({ type: "auth_response", data: { success: true } });
    await settled();
  };
  const arrive = async (data: object): Promise<void> => {
    fakes.sockets.latest().push({ type: "code", data });
    await settled();
  };
  const requests = (): number => fakes.server.requestsTo("GET /codes").length;
  const reload = async (): Promise<void> => {
    fakes.sockets.latest().push({ type: "data_update", data: { resource: "codes", action: "updated" } });
    await settled();
  };
  const toasts = (): number =>
    fakes.app.toasts.list$.value.filter(({ text }) => text.startsWith("Code")).length;
  const shown = () => codes.codes$.value.map(({ content }) => content?.code ?? null);

  beforeEach(() => {
    stored = [];
  });
  afterEach(() => fakes.stop());

  it("are asked for only where a mask or the account shows them", async () => {
    await start([createMask("a")]);
    expect(requests()).to.equal(0);
    fakes.stop();
    await start([shop]);
    expect(requests()).to.equal(1);
  });

  it("are asked for again once the socket is there, which may have said nothing of the first", async () => {
    await start([shop]);
    stored = [codeOf("1", { code: "482913", sender: "" })];
    await fakes.clock.advance(3_000);
    expect(shown()).to.eql(["482913"]);
    await fakes.clock.advance(60_000);
    expect(requests()).to.equal(2);
  });

  it("arrive with a toast that copies them, and are then forgotten by the server", async () => {
    await start([shop]);
    await arrive(codeOf("1", { code: "482913", sender: "shop.example" }));
    expect(shown()).to.eql(["482913"]);
    const toast = fakes.app.toasts.list$.value.at(-1);
    expect(toast?.text).to.equal("Code from shop.example: 482913");
    toast?.action?.run();
    await settled();
    expect(fakes.page.clipboard()).to.equal("482913");
    expect(fakes.server.requestsTo("DELETE /masks/a/codes/1")).to.have.lengthOf(1);
    fakes.sockets.latest().push({
      type: "data_update",
      data: { resource: "codes", resourceId: "1", action: "deleted", entity: null },
    });
    await settled();
    expect(shown(), "the page that copied it still shows it").to.eql(["482913"]);
  });

  it("name no sender where nothing proves who sent them", async () => {
    await start([shop]);
    await arrive(codeOf("1", { code: "999999", sender: "", unproven: true }));
    expect(fakes.app.toasts.list$.value.at(-1)?.text).to.equal("Code (sender not proven): 999999");
  });

  it("disappear when they were used elsewhere, and when they expire", async () => {
    await start([shop]);
    await arrive(codeOf("1", { code: "482913", sender: "" }));
    await arrive(codeOf("2", { code: "773104", sender: "" }));
    fakes.sockets.latest().push({
      type: "data_update",
      data: { resource: "codes", resourceId: "1", action: "deleted", entity: null },
    });
    await settled();
    expect(shown()).to.eql(["773104"]);
    await fakes.clock.advance(codeLimits.minutes * minuteMs);
    expect(shown()).to.eql([]);
  });

  it("stand once when a connection returns, and are forgotten by the server in the end", async () => {
    await start([shop]);
    const data = codeOf("1", { code: "482913", sender: "" });
    await arrive(data);
    fakes.server.on("DELETE", "/masks/a/codes/1", { status: 503, json: {} });
    const [shownCode] = codes.codes$.value;
    if (shownCode) await codes.copy(shownCode)();
    await settled();
    const before = fakes.server.requestsTo("DELETE /masks/a/codes/1").length;
    fakes.server.on("DELETE", "/masks/a/codes/1", () => ({ json: null }));
    stored = [data];
    await reload();
    expect(shown()).to.eql(["482913"]);
    expect(fakes.server.requestsTo("DELETE /masks/a/codes/1").length).to.be.greaterThan(before);
  });

  it("are as many as the server keeps, and are announced as often", async () => {
    await start([shop]);
    const count = codeLimits.perMask + 3;
    for (let n = 0; n < count; n += 1) {
      await fakes.clock.advance(1);
      await arrive(codeOf(String(n), { code: `48291${n}`, sender: "" }));
    }
    expect(shown()).to.eql(["482917", "482916", "482915", "482914", "482913"]);
    expect(toasts()).to.equal(codeLimits.perMask);
  });

  it("stay for their time, whatever the clock of this device says", async () => {
    await start([shop]);
    const at = (ms: number) => new Date(fakes.clock.now() + ms).toISOString();
    const hour = 60 * minuteMs;
    const early = { receivedAt: at(-hour), expiresAt: at(codeLimits.minutes * minuteMs - hour) };
    const late = { receivedAt: at(hour), expiresAt: at(codeLimits.minutes * minuteMs + hour) };
    stored = [
      codeOf("1", { code: "482913", sender: "", ...early }),
      codeOf("2", { code: "773104", sender: "", ...late }),
    ];
    for (const code of stored) await arrive(code);
    expect(shown()).to.have.members(["773104", "482913"]);
    await fakes.clock.advance(codeLimits.minutes * minuteMs - 1);
    expect(shown()).to.have.lengthOf(2);
    await fakes.clock.advance(1);
    expect(shown()).to.eql([]);
  });

  it("are opened when their key comes, and say until then why they are not", async () => {
    await start([shop]);
    const owner = "ada@example.org";
    const key = await fakes.keys.keyring.create(owner)();
    if (key._tag === "Left") throw new Error("no key");
    const content = JSON.stringify({ sender: "shop.example", code: "482913" });
    fakes.keys.refuseAll("not-loaded");
    const code = codeOf("1", { sealed: await fakeSealText(content, key.right.publicKey) });
    stored = [code];
    await arrive(code);
    expect(codes.codes$.value.map(({ unopened }) => unopened?.refusal)).to.eql(["not-loaded"]);
    expect(toasts()).to.equal(0);
    fakes.keys.refuseAll(null);
    await fakes.clock.advance(5_000);
    await settled();
    expect(shown()).to.eql(["482913"]);
    expect(toasts(), "announced, though late").to.equal(1);
    expect(codes.codes$.value[0]).not.to.have.property("unopened");
  });

  it("are decrypted where their key is, and say else that it is not here", async () => {
    await start([shop]);
    const owner = "ada@example.org";
    const key = await fakes.keys.keyring.create(owner)();
    if (key._tag === "Left") throw new Error("no key");
    const content = JSON.stringify({ sender: "shop.example", code: "482913" });
    await arrive(codeOf("1", { sealed: await fakeSealText(content, key.right.publicKey) }));
    await arrive(codeOf("2", { sealed: "bm90IG91cnM=" }));
    expect(shown()).to.eql([null, "482913"]);
  });
});
