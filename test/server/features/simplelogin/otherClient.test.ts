import { expect } from "chai";
import * as simplelogin from "simplelogin-client";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { everyStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";
import { makeToken } from "./tokens.ts";

const shop = "orders@shop.example";

/** Returns the status of an answer that the client refuses, and what it says as JSON. */
const refusal = async (
  call: Promise<unknown>,
): Promise<{ readonly status: number; readonly error: unknown }> => {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof simplelogin.ResponseError)) throw new Error("the call was not refused");
  const { response } = failure;
  return { status: response.status, error: ((await response.json()) as { readonly error: unknown }).error };
};

describe("The client of SimpleLogin that npm has, simplelogin-client 0.6.0", () => {
  let here: HeldServer;
  let client: simplelogin.SimpleLoginClient;

  beforeEach(async () => {
    const [store] = everyStore;
    if (store === undefined) throw new Error("there is no store");
    here = await startHeldServer(store, {}, undefined, { defaultTier: "self_hosted" });
    await here.ada.call("PUT", "/log/settings", { body: { keep: "address" } });
    client = new simplelogin.SimpleLoginClient({
      apiKey: await makeToken(here.ada),
      url: `${here.server.origin}/`,
    });
  });
  afterEach(() => here?.stop());

  it("alias: makes, finds, changes and deletes masks, and reads every field that it names", async () => {
    const { alias } = client;
    const random = await alias.createRandomAlias({
      hostname: "www.shop.example",
      mode: "uuid",
      aliasRandomNewPost: { note: "Made by a program" },
    });
    expect(simplelogin.instanceOfAlias(random)).to.equal(true);
    expect(random.email).to.match(/^[0-9a-f-]{36}@masks\.test$/);
    expect(random).to.include({ note: "Made by a program", enabled: true, nbForward: 0, pinned: false });
    expect(random.creationDate.getTime() / 1000).to.equal(random.creationTimestamp);

    const options = await alias.getAliasOptions({ hostname: "shop.example" });
    expect(simplelogin.instanceOfAliasOptions(options)).to.equal(true);
    expect(options.canCreate).to.equal(true);
    expect(options.prefixSuggestion).to.equal("shop");
    expect(options.recommendation).to.deep.equal({ alias: random.email, hostname: "shop.example" });
    const [suffix] = options.suffixes;
    expect(suffix && simplelogin.instanceOfAliasOptionsSuffixesInner(suffix)).to.equal(true);

    const { mailboxes = [] } = await client.mailbox.getMailboxes();
    const custom = await alias.createCustomAlias({
      aliasCustomNewPost: {
        aliasPrefix: "corner",
        signedSuffix: suffix?.signedSuffix ?? "",
        mailboxIds: mailboxes.map(({ id }) => id),
      },
    });
    expect(custom.email).to.equal(`corner${suffix?.suffix}`);

    const listed = await alias.getAliases({ pageId: 0 });
    expect(simplelogin.instanceOfAliasModelArray(listed)).to.equal(true);
    const { aliases = [] } = listed;
    expect(aliases.every((one) => simplelogin.instanceOfAlias(one))).to.equal(true);
    expect(aliases.map(({ id }) => id)).to.include.members([random.id, custom.id]);
    expect((await alias.getAliases({ pageId: 1 })).aliases).to.deep.equal([]);
    const found = await alias.searchAliases({ pageId: 0, aliasSearchPost: { query: "corner" } });
    expect(found.aliases?.map(({ id }) => id)).to.deep.equal([custom.id]);

    expect(await alias.toggleAlias({ aliasId: custom.id })).to.deep.equal({ enabled: false });
    await alias.updateAlias({ aliasId: custom.id, aliasAliasIdPatch: { note: "Bread", pinned: true } });
    expect(await alias.getAlias({ aliasId: custom.id })).to.include({
      note: "Bread",
      pinned: true,
      enabled: false,
    });
    expect(await alias.deleteAlias({ aliasId: custom.id })).to.deep.equal({ deleted: true });
    expect((await refusal(alias.getAlias({ aliasId: custom.id }))).status).to.equal(404);
  });

  it("alias: reads who wrote to a mask, and makes, blocks and deletes a reverse address", async () => {
    const { alias } = client;
    expect(await here.send(shop, letter(`Shop <${shop}>`))).to.match(/^250/);
    here.delivery.wake();
    const [mask] = (await alias.getAliases({ pageId: 0 })).aliases ?? [];
    if (mask === undefined) throw new Error("there is no mask");
    const aliasId = mask.id;
    await until("it is counted", async () => (await alias.getAlias({ aliasId })).nbForward === 1);
    const { latestActivity } = await alias.getAlias({ aliasId });
    expect(simplelogin.instanceOfAliasLatestActivity(latestActivity)).to.equal(true);
    expect(latestActivity.contact.email).to.equal(shop);
    const { activities = [] } = await alias.getActivities({ aliasId, pageId: 0 });
    expect(activities.map((one) => simplelogin.instanceOfAliasAliasIdActivities(one))).to.deep.equal([true]);
    expect(activities[0]).to.include({ action: "forward", from: shop, to: mask.email });

    const contact = await alias.createContact({ aliasId, aliasAliasIdContactsPost: { contact: shop } });
    expect(simplelogin.instanceOfAliasAliasIdContacts(contact)).to.equal(true);
    const contactId = contact.id;
    const { contacts = [] } = await alias.getContacts({ aliasId, pageId: 0 });
    const listed = contacts.find(({ id }) => id === contactId);
    expect(listed).to.include({ contact: shop, reverseAlias: contact.reverseAlias, blockForward: false });
    expect(await alias.toggleContactBlocking({ contactId })).to.deep.equal({ blockForward: true });
    expect(await alias.deleteContact({ contactId })).to.deep.equal({ deleted: true });
  });

  it("mailbox: lists, adds, changes and deletes destinations", async () => {
    const { mailbox } = client;
    const { mailboxes = [] } = await mailbox.getMailboxes();
    expect(mailboxes.map((one) => simplelogin.instanceOfMailbox(one))).to.deep.equal([true]);
    expect(mailboxes[0]).to.include({ email: "ada@home.example", _default: true, verified: true });
    const added = await mailbox.createMailbox({ mailboxPost: { email: "ada@work.example" } });
    expect(simplelogin.instanceOfMailbox(added)).to.equal(true);
    expect(added).to.include({ email: "ada@work.example", verified: false });
    const unconfirmed = mailbox.updateMailbox({
      mailboxId: added.id,
      mailboxMailboxIdPut: { _default: true },
    });
    expect((await refusal(unconfirmed)).status).to.equal(409);
    await mailbox.updateMailbox({
      mailboxId: mailboxes[0]?.id ?? 0,
      mailboxMailboxIdPut: { _default: true },
    });
    await mailbox.deleteMailbox({ mailboxId: added.id });
    expect((await refusal(mailbox.deleteMailbox({ mailboxId: added.id }))).status).to.equal(404);
  });

  it("settings: reads and changes them", async () => {
    const { settings } = client;
    expect(simplelogin.instanceOfSetting(await settings.getUserSettings())).to.equal(true);
    const changed = await settings.updateUserSettings({
      settingPatch: { aliasGenerator: "uuid", senderFormat: "AT_ONLY" },
    });
    expect(changed).to.include({ aliasGenerator: "uuid", senderFormat: "AT_ONLY" });
    expect(await settings.getUserSettings()).to.deep.equal(changed);
    const domains = await settings.getAvailableDomainsForRandomAliases();
    expect(domains.map((one) => simplelogin.instanceOfSettingDomain(one))).to.deep.equal([true]);
  });

  it("account: checks its key and reads the figures", async () => {
    const { account } = client;
    const info = await account.getUserInfo();
    expect(info).to.include({ name: "Password manager", email: "ada@home.example", inTrial: false });
    const stats = await account.getStats();
    expect(simplelogin.instanceOfUserStats(stats)).to.equal(true);
    await account.logout();
    await account.getUserInfo();
  });

  it("account: is told in JSON what only the app does", async () => {
    const { account } = client;
    const sign = { email: "ada@home.example", password: "secret", device: "Phone" };
    const calls: Readonly<Record<string, readonly [Promise<unknown>, number]>> = {
      login: [account.login({ authLoginPost: sign }), 403],
      mfa: [account.mfa({ authMfaPost: { mfaToken: "1", mfaKey: "2", device: "Phone" } }), 403],
      createApiKey: [account.createApiKey({ apiKeyPost: { device: "Phone" } }), 401],
      registerAccount: [account.registerAccount({ authRegisterPost: sign }), 403],
      activateAccount: [account.activateAccount({ authActivatePost: { ...sign, code: "123456" } }), 403],
      reactivateAccount: [account.reactivateAccount({ authReactivatePost: sign }), 403],
      forgotPassword: [account.forgotPassword({ authForgotPasswordPost: sign }), 403],
      updateUserInfo: [account.updateUserInfo({ userInfoPatch: { name: "Ada" } }), 403],
      enableSudoMode: [account.enableSudoMode({ sudoPatch: { password: "secret" } }), 403],
      deleteUser: [account.deleteUser(), 403],
      getCookieToken: [account.getCookieToken(), 403],
    };
    for (const [name, [call, status]] of Object.entries(calls)) {
      const refused = await refusal(call);
      expect(refused.status, name).to.equal(status);
      expect(refused.error, name).to.be.a("string").and.not.equal("");
    }
    expect((await account.getUserInfo()).email).to.equal("ada@home.example");
  });

  it("is told that its key is wrong", async () => {
    const { account } = new simplelogin.SimpleLoginClient({ apiKey: "wrong", url: here.server.origin });
    expect(await refusal(account.getUserInfo())).to.deep.equal({ status: 401, error: "Wrong api key" });
  });
});
