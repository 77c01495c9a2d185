import { expect } from "chai";
import { createPush, type Push } from "../../../core/push/push.ts";
import type { NewPushDevice } from "../../../core/push/pushEndpoints.ts";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";
import { createPushDevice, pushKey } from "../../fakes/productPush.ts";
import { settled } from "../../fakes/virtualClock.ts";

const wanted: NewPushDevice = {
  endpoint: "https://push.example/here",
  p256dh: pushKey,
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  kinds: ["held"],
  masks: [],
  quietHours: null,
  showsSender: false,
};

describe("The user's devices with notifications", () => {
  let fakes: AppOnFakes;
  let push: Push;

  beforeEach(async () => {
    fakes = await startApp();
    fakes.product.push.set([createPushDevice("phone")]);
    push = fakes.signedIn().feature(createPush);
    await settled();
    await push.refresh()();
  });
  afterEach(() => fakes.stop());

  const ids = (): readonly string[] | undefined => push.view$.value?.devices.map(({ id }) => id);
  const toasts = (): readonly string[] => fakes.app.toasts.list$.value.map(({ text }) => text);

  it("are listed with the key that a browser subscribes for", () => {
    expect(push.view$.value).to.deep.equal({ key: pushKey, devices: [createPushDevice("phone")] });
  });

  it("are added first, and one that is added again stands there once", async () => {
    for (const _ of [1, 2]) await push.add(wanted)();
    expect(ids()).to.deep.equal(["device-2", "phone"]);
    expect(toasts()).to.include("Notifications switched on");
  });

  it("are changed, tested and removed, also one that is removed already", async () => {
    await push.edit("phone", { kinds: ["masks"], masks: ["1"] })();
    expect(push.view$.value?.devices[0]).to.deep.include({ kinds: ["masks"], masks: ["1"] });
    await push.test("phone")();
    expect(toasts()).to.include("A test is on its way");
    fakes.product.push.set([]);
    await push.remove("phone")();
    expect(ids()).to.deep.equal([]);
    expect(toasts()).to.include("Device removed");
  });

  it("are claimed by the session that is on them, unless the account has them no more", async () => {
    expect(await push.claim("mark of phone")()).to.equal(true);
    expect(await push.claim("mark of another")()).to.equal(false);
    fakes.server.on("PUT", "/account/push/here", { status: 500 });
    expect(await push.claim("mark of another")()).to.equal(true);
  });
});
