import { expect } from "chai";
import { type Either, left } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Problem } from "../../../core/api/errorMessages.ts";
import { createEncryption, type Encryption } from "../../../core/encryption/encryption.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { fakeSeal } from "../../fakes/fakeKeyring.ts";
import { createUser } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

const passphrase = "seven quiet boats leave at noon";
const draft = { passphrase, again: passphrase };
const noKey = { user: createUser("ada@example.org", { keyStatus: "not-configured" as const }) };

interface Opened extends AppOnFakes {
  readonly encryption: Encryption;
  readonly at: () => string;
  readonly toasts: () => readonly string[];
}

const open = async (options: AppOnFakesOptions = noKey): Promise<Opened> => {
  const fakes = await startApp(options);
  const encryption = fakes.signedIn().feature(createEncryption);
  await settled();
  return {
    ...fakes,
    encryption,
    at: () => encryption.state$.value.at,
    toasts: () => fakes.app.toasts.list$.value.map(({ text }) => text),
  };
};

const problem = (result: Either<Problem, unknown>): Problem => {
  if (result._tag === "Right") throw new Error("it worked");
  return result.left;
};
const done = async <A>(task: TaskEither<Problem, A>): Promise<A> => {
  const result = await task();
  if (result._tag === "Left") throw new Error(`it failed: ${JSON.stringify(result.left)}`);
  return result.right;
};

/** Creates a key and advances the clock by the 500 ms that this takes. */
const generate = async ({ encryption, clock }: Opened): Promise<void> => {
  const created = encryption.generate()();
  await clock.advance(500);
  await created;
};
const setUp = async (opened: Opened): Promise<void> => {
  await generate(opened);
  await done(opened.encryption.backUp(draft));
  await done(opened.encryption.turnOn());
  await settled();
};

describe("Encryption", () => {
  let opened: Opened | undefined;
  const running = async (options?: AppOnFakesOptions): Promise<Opened> => {
    opened = await open(options);
    return opened;
  };
  afterEach(() => opened?.stop());

  it("is off for a user without a key", async () => {
    const { encryption } = await running();
    expect(encryption.state$.value).to.deep.equal({ at: "off", spare: null, canHoldKeys: true });
  });

  for (const status of [404, 501])
    it(`is not offered where the server answers ${status}, and no message is shown (D12)`, async () => {
      const { at, toasts } = await running({
        ...noKey,
        before: ({ server }) => server.on("GET", "/keys/status", { status, json: {} }),
      });
      expect(at()).to.equal("not-offered");
      expect(toasts()).to.deep.equal([]);
    });

  it("is not offered where the server's configuration switches it off, and no request is sent (D12)", async () => {
    const configuration = { brand: "Bauta", maskDomain: "masks.example", flags: { encryption: false } };
    const { at, server, encryption } = await running({ ...noKey, settings: { configuration } });
    await encryption.refresh()();
    expect(at()).to.equal("not-offered");
    expect(server.requestsTo("GET /keys/status")).to.have.length(0);
  });

  it('shows "Failed to get encryption key status", and is loaded on a retry (KE2)', async () => {
    const { encryption, server, product } = await running({
      ...noKey,
      before: (fakes) => fakes.server.on("GET", "/keys/status", { status: 400, json: {} }),
    });
    expect(encryption.state$.value).to.deep.equal({
      at: "unknown",
      message: "Failed to get encryption key status",
    });
    server.on("GET", "/keys/status", { json: { status: "not-configured" } });
    await done(encryption.refresh());
    expect(encryption.state$.value.at).to.equal("off");
    expect(product.keys.inUse()).to.equal(null);
  });

  it("shows a progress that rises by 5 % each 150 ms up to 95, reaches 100 on success, and closes 0.5 s later (KE1)", async () => {
    const app = await running();
    const release = app.keys.holdCreation();
    const seen: number[] = [];
    const watching = app.encryption.state$.subscribe((state) => {
      if (state.at === "making") seen.push(state.percent);
    });
    const created = app.encryption.generate()();
    await app.clock.advance(149);
    expect(seen).to.deep.equal([0]);
    await app.clock.advance(1);
    expect(seen).to.deep.equal([0, 5]);
    await app.clock.advance(18 * 150);
    expect(seen.at(-1)).to.equal(95);
    await app.clock.advance(10_000);
    expect(seen).to.deep.equal(Array.from({ length: 20 }, (_, n) => 5 * n));
    release();
    await app.clock.advance(499);
    expect(seen.at(-1)).to.equal(100);
    expect(app.at()).to.equal("making");
    await app.clock.advance(1);
    await created;
    expect(app.at()).to.equal("made");
    watching.unsubscribe();
  });

  it('shows "Failed to generate encryption keys" and does not change (KE1)', async () => {
    const app = await running();
    const release = app.keys.holdCreation();
    const created = app.encryption.generate()();
    await app.clock.advance(300);
    app.keys.refuseAll("damaged");
    release();
    expect(problem(await created).message).to.equal("Failed to generate encryption keys");
    app.keys.refuseAll(null);
    expect(app.at()).to.equal("off");
    await generate(app);
    expect(app.at()).to.equal("made");
  });

  it("creates one key however often the button is pressed", async () => {
    const app = await running();
    const first = app.encryption.generate()();
    expect(problem(await app.encryption.generate()()).failure.kind).to.equal("busy");
    await app.clock.advance(500);
    await first;
    expect(await app.ports.keyring.list("ada@example.org")())
      .to.have.property("right")
      .with.length(1);
  });

  it("sends nothing to the server before the backup is saved", async () => {
    const app = await running();
    await generate(app);
    expect(problem(await app.encryption.turnOn()()).fields).to.deep.equal([
      { field: "saved", message: "Save the backup first, then tick this box." },
    ]);
    expect(app.server.requestsTo("POST /keys/setup")).to.have.length(0);
    expect(app.product.keys.inUse()).to.equal(null);
    const file = await done(app.encryption.backUp(draft));
    expect(file.name).to.match(/^bauta-private-key-[0-9A-F]{8}\.asc$/);
    expect(file.content).to.include("PRIVATE KEY BLOCK");
    await done(app.encryption.turnOn());
    await settled();
    expect(app.product.keys.inUse()).to.include("PUBLIC KEY BLOCK");
    expect(
      app.server.requestsTo("POST /keys/setup").map(({ body }) => Object.keys(body as object)),
    ).to.deep.equal([["publicKey"]]);
    expect(app.at()).to.equal("on");
    expect(app.toasts()).to.deep.equal(["Encryption keys set up successfully"]);
    expect(app.app.account.account$.value?.keyStatus).to.equal("configured");
    expect(
      JSON.parse(app.storage.local.read("cached_account") ?? "{}"),
      "in the cache (KE4)",
    ).to.have.nested.property("value.keyStatus", "configured");
  });

  it("requires a passphrase that is hard to guess, typed twice", async () => {
    const app = await running();
    await generate(app);
    const fieldsOf = async (given: typeof draft) => problem(await app.encryption.backUp(given)()).fields;
    expect(await fieldsOf({ passphrase: "", again: "" })).to.deep.equal([
      { field: "passphrase", message: "Choose a passphrase." },
    ]);
    expect((await fieldsOf({ passphrase: "password1", again: "password1" }))[0]?.message).to.match(
      /too easy to guess/,
    );
    expect(await fieldsOf({ passphrase, again: `${passphrase} ` })).to.deep.equal([
      { field: "again", message: "This is not the same passphrase. Type it once more." },
    ]);
  });

  it("continues with a key that has no backup yet after the page was closed", async () => {
    const app = await running();
    await generate(app);
    app.stop();
    const again = await running({ ...noKey, storage: app.storage, keys: app.keys });
    expect(again.at()).to.equal("made");
    await done(again.encryption.discard());
    expect(again.at()).to.equal("off");
  });

  it("is shown as off when the socket reports that another device switched it off, without a request", async () => {
    const app = await running();
    app.sockets.latest().accept();
    await setUp(app);
    const before = app.server.requests.length;
    const entity = { status: "not-configured", keys: [] };
    app.sockets.latest().push({ type: "data_update", data: { resource: "keys", action: "updated", entity } });
    await settled();
    expect(app.at()).not.to.equal("on");
    expect(app.server.requests.length).to.equal(before);
  });

  it("publishes the key for senders or not, as its owner chooses, and reports when that could not be changed", async () => {
    const app = await running();
    await generate(app);
    await done(app.encryption.backUp(draft));
    await done(app.encryption.turnOn());
    await settled();
    expect(app.encryption.state$.value).to.include({ at: "on", isPublished: false });
    await done(app.encryption.publish(true));
    expect(app.encryption.state$.value).to.include({ isPublished: true });
    await done(app.encryption.publish(false));
    expect(app.encryption.state$.value).to.include({ isPublished: false });
    app.server.on("PUT", "/keys/published", { status: 409, json: {} });
    expect(await app.encryption.publish(true)()).to.have.nested.property(
      "left.message",
      "Failed to change who can find your key",
    );
    expect(app.encryption.state$.value).to.include({ isPublished: false });
  });

  it("loads the keys again when the code of the keyring could not be loaded at first", async () => {
    const app = await running();
    await setUp(app);
    const { list } = app.ports.keyring;
    let isMissing = true;
    Object.assign(app.ports.keyring, {
      list: (owner: string) => (isMissing ? async () => left("unavailable") : list(owner)),
    });
    await done(app.encryption.refresh());
    expect(app.encryption.state$.value).to.include({ at: "on", canHoldKeys: false, key: null });
    isMissing = false;
    await done(app.encryption.refreshMissing());
    expect(app.encryption.state$.value).to.include({ at: "on", canHoldKeys: true });
    expect(app.encryption.state$.value).to.have.property("key").that.is.not.equal(null);
  });

  it('shows the warning "Encryption setup may have succeeded. Please check status." on a 500 and counts as on until the status is known (KE2, D40)', async () => {
    const app = await running();
    await generate(app);
    await done(app.encryption.backUp(draft));
    app.server.on("POST", "/keys/setup", { status: 500, json: {} });
    app.server.on("GET", "/keys/status", "silent");
    await done(app.encryption.turnOn());
    expect(app.encryption.state$.value).to.include({ at: "on", isAssumed: true });
    expect(app.toasts()).to.deep.equal(["Encryption setup may have succeeded. Please check status."]);
    await app.clock.advance(15_000);
    expect(app.encryption.state$.value).to.include({ at: "on", isAssumed: true });
    app.server.on("GET", "/keys/status", { json: { status: "not-configured" } });
    await done(app.encryption.refresh());
    expect(app.encryption.state$.value).to.include({ at: "off" });
    expect(app.encryption.state$.value).to.have.nested.property("spare.isBackedUp", true);
    app.server.on("POST", "/keys/setup", { json: { status: "configured" } });
    app.server.on("GET", "/keys/status", { json: { status: "configured" } });
    await done(app.encryption.enableSpareKey());
    await settled();
    expect(app.encryption.state$.value).to.include({ at: "on", isAssumed: false });
  });

  it('shows "Failed to set up encryption keys" for any other refusal without a message, and the server\'s message otherwise (KE2)', async () => {
    const app = await running();
    await generate(app);
    await done(app.encryption.backUp(draft));
    app.server.on("POST", "/keys/setup", { status: 400, json: {} });
    expect(problem(await app.encryption.turnOn()()).message).to.equal("Failed to set up encryption keys");
    app.server.on("POST", "/keys/setup", { status: 400, json: { message: "This key is revoked." } });
    expect(problem(await app.encryption.turnOn()()).message).to.equal("This key is revoked.");
  });

  it("decrypts mail on the device that has the key, and on another once the backup is imported", async () => {
    const app = await running();
    await setUp(app);
    const { content: backup } = await done(app.encryption.backUp(draft));
    const publicKey = app.product.keys.inUse() ?? "";
    const mail = await fakeSeal("Subject: Secret\r\n\r\nx", publicKey);
    expect((await done(app.encryption.open(mail))).subject).to.equal("Secret");

    const other = await open({
      user: createUser("ada@example.org"),
      before: ({ server }) =>
        server.on("GET", "/keys/status", {
          json: { status: "configured", fingerprint: /[0-9A-F]{40}/.exec(publicKey)?.[0] },
        }),
    });
    other.product.keys.use(publicKey);
    await done(other.encryption.refresh());
    expect(other.encryption.state$.value).to.include({ at: "on", key: null });
    expect(problem(await other.encryption.open(mail)()).fields[0]?.message).to.match(
      /This device does not hold the key/,
    );
    expect(problem(await other.encryption.importBackup(backup, "wrong")()).fields[0]?.field).to.equal(
      "passphrase",
    );
    await done(other.encryption.importBackup(backup, passphrase));
    expect(other.encryption.state$.value).to.have.nested.property("key.isBackedUp", true);
    expect((await done(other.encryption.open(mail))).subject).to.equal("Secret");
    other.stop();
  });

  it("still decrypts older mail after the key was replaced, and after encryption was switched off", async () => {
    const app = await running();
    await setUp(app);
    const mail = await fakeSeal("Subject: Older\r\n\r\nx", app.product.keys.inUse() ?? "");
    await setUp(app);
    expect(app.encryption.state$.value).to.include({ at: "on", olderKeys: 1 });
    expect((await done(app.encryption.open(mail))).subject).to.equal("Older");
    await done(app.encryption.turnOff());
    expect(app.at()).to.equal("off");
    expect(app.product.keys.inUse()).to.equal(null);
    expect((await done(app.encryption.open(mail))).subject).to.equal("Older");
    await done(app.encryption.forgetKeys());
    expect(problem(await app.encryption.open(mail)()).fields[0]?.field).to.equal("mail");
  });

  it("accepts a public key that was created elsewhere, and no private one", async () => {
    const app = await running();
    const elsewhere = await open({ user: createUser("eva@example.org", { keyStatus: "not-configured" }) });
    await generate(elsewhere);
    const { content: privateKey } = await done(elsewhere.encryption.backUp(draft));
    const state = elsewhere.encryption.state$.value;
    const publicKey = state.at === "made" ? state.key.publicKey : "";
    elsewhere.stop();
    expect(problem(await app.encryption.setPublicKey(privateKey)()).fields[0]?.message).to.match(
      /This is a private key/,
    );
    expect((await done(app.encryption.examine(publicKey))).userIds).to.deep.equal(["Mask owner"]);
    await done(app.encryption.setPublicKey(publicKey));
    expect(app.encryption.state$.value).to.include({ at: "on", key: null });
    expect(app.product.keys.inUse()).to.equal(publicKey);
  });

  it("shows that this browser cannot store keys where it cannot", async () => {
    const app = await running({ ...noKey, before: ({ keys }) => keys.refuseAll("unavailable") });
    expect(app.encryption.state$.value).to.include({ at: "off", canHoldKeys: false });
    expect(problem(await app.encryption.generate()()).message).to.match(/This browser cannot keep keys here/);
  });

  it("says that the code of the keyring is missing, and forgets nothing of the keys on this device", async () => {
    const app = await running();
    await setUp(app);
    Object.assign(app.ports.keyring, { list: () => async () => left("not-loaded") });
    await done(app.encryption.refresh());
    expect(app.app.deletesPrivateKeys()).to.equal(true);
    const other = await running({ ...noKey, before: ({ keys }) => keys.refuseAll("not-loaded") });
    expect(other.encryption.state$.value).to.include({ at: "off", isKeyringMissing: true });
    expect(problem(await other.encryption.generate()()).message).to.equal(
      "The part of the app that keeps keys could not be loaded. Check your connection, then try again.",
    );
  });

  it("deletes the keys at logout, after a confirmation (D45)", async () => {
    const app = await running();
    expect(app.app.deletesPrivateKeys()).to.equal(false);
    await setUp(app);
    expect(app.app.deletesPrivateKeys()).to.equal(true);
    await app.app.session.logOut()();
    await settled();
    expect(app.app.deletesPrivateKeys()).to.equal(false);
    expect(await app.ports.keyring.list("ada@example.org")()).to.deep.include({ right: [] });
    expect(app.at()).to.equal("loading");
  });

  it("keeps the key when a session expires without a logout", async () => {
    const app = await running();
    await setUp(app);
    app.product.endSession();
    await app.app.session.refresh()();
    await app.app.session.validate()();
    await settled();
    expect(await app.ports.keyring.list("ada@example.org")())
      .to.have.property("right")
      .with.length(1);
  });
});
