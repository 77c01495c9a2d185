import { expect } from "chai";
import { isLeft } from "fp-ts/lib/Either.js";
import { exportAccount } from "../../core/account/accountDataEndpoints.ts";
import { updateProfile } from "../../core/account/profileEndpoints.ts";
import { type Endpoint, pathOf } from "../../core/api/endpoint.ts";
import * as apiTokens from "../../core/apiTokens/apiTokenEndpoints.ts";
import * as appPasswords from "../../core/appPasswords/appPasswordEndpoints.ts";
import { putContentAccess } from "../../core/contentAccess/contentAccessEndpoints.ts";
import * as correspondents from "../../core/correspondents/correspondentEndpoints.ts";
import * as destinations from "../../core/destinations/destinationEndpoints.ts";
import * as domains from "../../core/domains/domainEndpoints.ts";
import { getKeyStatus, getKeys } from "../../core/encryption/keyEndpoints.ts";
import * as labels from "../../core/labels/labelEndpoints.ts";
import * as masks from "../../core/masks/maskEndpoints.ts";
import * as notifications from "../../core/notifications/notificationEndpoints.ts";
import * as push from "../../core/push/pushEndpoints.ts";
import * as accountRules from "../../core/rules/account/accountRuleEndpoints.ts";
import * as sessions from "../../core/session/openSessionEndpoints.ts";
import * as twoFactor from "../../core/session/twoFactor/twoFactorEndpoints.ts";
import * as webhooks from "../../core/webhooks/webhookEndpoints.ts";

/** A server with one user of the plan "business" who has just signed in. */
export interface ProductSubject {
  /** The address of the account. */
  readonly email: string;
  /** Sends a request of that user. */
  readonly send: (
    method: string,
    path: string,
    body: unknown,
  ) => Promise<{ readonly status: number; readonly json: unknown }>;
  readonly stop?: () => Promise<void>;
}

interface Refusal {
  readonly status: number;
  /** The fields that its errors name. */
  readonly fields: readonly string[];
}

/** What the product's server and its fake both answer to the calls that the app makes. */
export const productContract = (make: () => Promise<ProductSubject>): void => {
  let subject: ProductSubject;
  beforeEach(async () => {
    subject = await make();
  });
  afterEach(() => subject.stop?.());

  type Request<Params, Body> = Pick<Endpoint<Params, Body, unknown>, "method" | "path" | "params" | "body">;
  const send = <Params, Body>(
    { method, path, params, body }: Request<Params, Body>,
    given: Params,
    sent: Body,
  ) => subject.send(method, pathOf(path, params.encode(given)), body.encode(sent));

  /** The answer of a call, as the app decodes it. */
  const call = async <Params, Body, Answer>(
    endpoint: Endpoint<Params, Body, Answer>,
    params: Params,
    body: Body,
  ): Promise<Answer> => {
    const { status, json } = await send(endpoint, params, body);
    expect([status, json], `${endpoint.method} ${endpoint.path}`).to.deep.equal([endpoint.status, json]);
    const answer = endpoint.answer.decode(json);
    if (isLeft(answer)) throw new Error(`${endpoint.path} answers ${JSON.stringify(json)}`);
    return answer.right;
  };
  const refusal = async <Params, Body>(
    endpoint: Request<Params, Body>,
    params: Params,
    body: Body,
  ): Promise<Refusal> => {
    const { status, json } = await send(endpoint, params, body);
    const { errors = [] } = (json ?? {}) as { readonly errors?: readonly { readonly field: string }[] };
    return { status, fields: errors.map(({ field }) => field) };
  };
  const missing: Refusal = { status: 404, fields: [] };
  const id = "no-such-id";

  it("creates, changes, deletes and restores a mask", async () => {
    const made = await call(masks.postMask, undefined, { description: "Shop" });
    const { masks: all } = await call(masks.listMasks, {}, undefined);
    expect(all.map(({ description }) => description)).to.deep.equal(["Shop"]);
    const edited = await call(masks.putMask, { id: made.id }, { active: false });
    expect([edited.active, edited.description]).to.deep.equal([false, "Shop"]);
    await call(masks.deleteMask, { id: made.id }, undefined);
    expect(await refusal(masks.getMask, { id: made.id }, undefined)).to.deep.equal(missing);
    const restored = await call(masks.restoreMask, { id: made.id }, undefined);
    expect(restored.maskEmail).to.equal(made.maskEmail);
    expect((await call(masks.getMaskStatistics, { id: made.id }, undefined)).totalReceived).to.equal(0);
    for (const endpoint of [masks.getMask, masks.deleteMask, masks.restoreMask, masks.getMaskStatistics])
      expect(await refusal<{ id: string }, void>(endpoint, { id }, undefined)).to.deep.equal(missing);
  });

  it("keeps the rules for all masks with a version", async () => {
    const before = await call(accountRules.getAccountRules, undefined, undefined);
    expect([before.before.rules, before.after.rules]).to.deep.equal([[], []]);
    expect(await call(accountRules.getAccountRuleCounts, undefined, undefined)).to.deep.equal({ rules: {} });
  });

  it("makes labels, renames them, and merges two only when asked to", async () => {
    for (const name of ["Shops", "Travel"]) await call(labels.postLabel, undefined, { name });
    const change = { name: "Travel" };
    expect(await refusal(labels.patchLabel, { name: "Shops" }, change)).to.deep.equal({
      status: 409,
      fields: ["name"],
    });
    await call(labels.patchLabel, { name: "Shops" }, { ...change, merge: true });
    const listed = await call(labels.listLabels, {}, undefined);
    expect(listed.labels).to.deep.equal([{ name: "Travel", color: "gray", masks: 0 }]);
    await call(labels.deleteLabel, change, undefined);
    expect((await call(labels.listLabels, {}, undefined)).labels).to.deep.equal([]);
  });

  it("makes app passwords and API tokens that have a name, and deletes each once", async () => {
    const noName = { status: 400, fields: ["name"] };
    expect(await refusal(appPasswords.postAppPassword, undefined, { name: " " })).to.deep.equal(noName);
    const { appPassword } = await call(appPasswords.postAppPassword, undefined, { name: "Laptop" });
    const { passwords } = await call(appPasswords.listAppPasswords, undefined, undefined);
    expect(passwords).to.deep.equal([appPassword]);
    await call(appPasswords.deleteAppPassword, { id: appPassword.id }, undefined);
    expect(await refusal(appPasswords.deleteAppPassword, { id: appPassword.id }, undefined)).to.deep.equal(
      missing,
    );

    const wanted = { scopes: ["masks:create" as const], domain: null, lifetimeDays: null };
    const { postApiToken, patchApiToken, deleteApiToken, listApiTokens } = apiTokens;
    expect(await refusal(postApiToken, undefined, { ...wanted, name: " " })).to.deep.equal(noName);
    const made = await call(postApiToken, undefined, { ...wanted, name: "Phone" });
    await call(patchApiToken, { id: made.apiToken.id }, { name: "Old phone" });
    const { tokens } = await call(listApiTokens, undefined, undefined);
    expect(tokens).to.deep.equal([{ ...made.apiToken, name: "Old phone" }]);
    await call(deleteApiToken, { id: made.apiToken.id }, undefined);
    expect(await refusal(deleteApiToken, { id: made.apiToken.id }, undefined)).to.deep.equal(missing);
    expect(await refusal(patchApiToken, { id }, { name: "x" })).to.deep.equal(missing);
  });

  it("switches a webhook off, renews its secret, and knows it no more once it is deleted", async () => {
    const { webhook, secret } = await call(webhooks.postWebhook, undefined, {
      url: "https://hooks.example/bauta",
      events: ["mail.received"],
      labels: [],
      includesContent: false,
    });
    expect(secret).to.match(/^whsec_/);
    expect((await call(webhooks.patchWebhook, { id: webhook.id }, { active: false })).state).to.equal("off");
    const renewed = await call(webhooks.postWebhookSecret, { id: webhook.id }, undefined);
    expect(renewed.webhook.earlierSecretUntil).to.be.a("string");
    const { deliveries } = await call(webhooks.listWebhookDeliveries, { id: webhook.id }, undefined);
    expect(deliveries).to.deep.equal([]);
    await call(webhooks.deleteWebhook, { id: webhook.id }, undefined);
    expect((await call(webhooks.listWebhooks, undefined, undefined)).webhooks).to.deep.equal([]);
    for (const endpoint of [webhooks.deleteWebhook, webhooks.postWebhookTest, webhooks.listWebhookDeliveries])
      expect(await refusal<{ id: string }, void>(endpoint, { id: webhook.id }, undefined)).to.deep.equal(
        missing,
      );
  });

  it("adds a device, changes what it is sent, and knows it no more once it is removed", async () => {
    const wanted = {
      endpoint: "https://push.example/device",
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
      kinds: ["held" as const],
      masks: [],
      quietHours: null,
      showsSender: false,
    };
    const device = await call(push.postPushDevice, undefined, wanted);
    const changed = await call(push.patchPushDevice, { id: device.id }, { kinds: ["security"] });
    expect(changed).to.deep.equal({ ...device, kinds: ["security"] });
    await call(push.putPushDeviceHere, undefined, { mark: device.mark });
    const { key, devices } = await call(push.listPushDevices, undefined, undefined);
    expect(key).to.match(/^[\w-]{87}$/);
    expect(devices).to.deep.equal([changed]);
    await call(push.deletePushDevice, { id: device.id }, undefined);
    expect((await call(push.listPushDevices, undefined, undefined)).devices).to.deep.equal([]);
    for (const endpoint of [push.deletePushDevice, push.postPushTest])
      expect(await refusal<{ id: string }, void>(endpoint, { id: device.id }, undefined)).to.deep.equal(
        missing,
      );
    expect(await refusal(push.putPushDeviceHere, undefined, { mark: device.mark })).to.deep.equal(missing);
  });

  it("asks the owner of a new destination first, and names none that is gone", async () => {
    const email = "other@example.org";
    const made = await call(destinations.postDestination, undefined, { email });
    expect([made.status, made.isDefault, made.masks]).to.deep.equal(["awaiting-confirmation", false, 0]);
    expect((await call(destinations.patchDestination, { id: made.id }, { name: "Work" })).name).to.equal(
      "Work",
    );
    await call(destinations.deleteDestination, { id: made.id }, { masks: { kind: "switchOff" } } as never);
    const left = await call(destinations.listDestinations, {}, undefined);
    expect(left.destinations.map((one) => [one.email, one.isAccount, one.isDefault])).to.deep.equal([
      [subject.email, true, true],
    ]);
  });

  it("adds whom a mask may write to, and refuses what is no address", async () => {
    const { id: mask } = await call(masks.postMask, undefined, { description: "Shop" });
    const { postCorrespondent, listCorrespondents, deleteCorrespondent } = correspondents;
    expect(await refusal(postCorrespondent, { id: mask }, { address: "nobody" })).to.deep.equal({
      status: 400,
      fields: ["address"],
    });
    const added = await call(postCorrespondent, { id: mask }, { address: "shop@example.com" });
    const listed = await call(listCorrespondents, { id: mask }, undefined);
    expect(listed.correspondents.map(({ address }) => address)).to.deep.equal(["shop@example.com"]);
    await call(deleteCorrespondent, { id: mask, correspondent: added.id }, undefined);
    expect((await call(listCorrespondents, { id: mask }, undefined)).correspondents).to.deep.equal([]);
  });

  it("adds a domain that waits for its proof, and refuses one that many share", async () => {
    expect(await refusal(domains.postDomain, undefined, { name: "co.uk" } as never)).to.deep.equal({
      status: 400,
      fields: ["name"],
    });
    const made = await call(domains.postDomain, undefined, { name: "ada.example" } as never);
    expect([made.kind, made.state, made.catchAll]).to.deep.equal(["own", "waiting", "off"]);
    expect((await call(domains.patchDomain, { id: made.id }, { approveFirst: true })).approveFirst).to.equal(
      true,
    );
    await call(domains.deleteDomain, { id: made.id }, undefined);
    expect((await call(domains.listDomains, undefined, undefined)).domains).to.deep.equal([]);
    expect(await refusal(domains.patchDomain, { id: made.id }, { approveFirst: true })).to.deep.equal(
      missing,
    );
    expect(await refusal(domains.checkDomain, { id: made.id }, undefined)).to.deep.equal(missing);
  });

  it("knows the session that asks, and none that is over", async () => {
    const { sessions: open } = await call(sessions.listSessions, undefined, undefined);
    expect(open.filter(({ current }) => current)).to.have.lengthOf(1);
    expect(await refusal(sessions.endSession, { id }, undefined)).to.deep.equal(missing);
  });

  it("has no notification at first, and deletes none that is not there", async () => {
    const page = await call(notifications.listNotifications, { limit: 20 }, undefined);
    expect([page.notifications, page.unread]).to.deep.equal([[], 0]);
    await call(notifications.readNotifications, undefined, { all: true });
    expect(await refusal(notifications.deleteNotification, { id: "1" }, undefined)).to.deep.equal(missing);
  });

  it("refuses a wrong code of an authenticator, and the account's own address as a new one", async () => {
    expect(await call(twoFactor.getTwoFactor, undefined, undefined)).to.include({ enabled: false });
    await call(twoFactor.setUpTwoFactor, undefined, undefined);
    expect(await refusal(twoFactor.verifySetup, undefined, { code: "000000" })).to.deep.equal({
      status: 400,
      fields: ["code"],
    });
    expect(await refusal(updateProfile, undefined, { email: subject.email } as never)).to.deep.equal({
      status: 400,
      fields: ["email"],
    });
  });

  it("gives access to content only to whom has acknowledged what it means", async () => {
    const wanted = { contentAccessEnabled: true };
    expect((await refusal(putContentAccess, undefined, wanted as never)).status).to.equal(400);
    const given = await call(putContentAccess, undefined, { ...wanted, acknowledgment: true });
    expect(given).to.include({ contentAccessEnabled: true, contentAccessAcknowledged: true });
  });

  it("has no key at first, and exports what the account has", async () => {
    expect((await call(getKeyStatus, undefined, undefined)).status).to.equal("not-configured");
    expect((await call(getKeys, undefined, undefined)).keys).to.deep.equal([]);
    const { status, json } = await send(exportAccount, undefined, undefined);
    expect(status).to.equal(200);
    expect(json).to.include.keys("format", "version", "account", "masks", "destinations");
  });
};
