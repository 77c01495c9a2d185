import { readFileSync } from "node:fs";
import { expect } from "chai";
import { generateKey } from "openpgp";
import { webKeyName } from "../../../../server/platform/openpgp/webKeyName.ts";
import type { Client } from "../../support/client.ts";
import { openSocket, receivedData, settle } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

const keyNamed = (name: string): string =>
  readFileSync(new URL(`../../../data/keys/${name}.asc`, import.meta.url), "utf8");

const namingNobody = async (): Promise<string> => {
  const { publicKey } = await generateKey({
    type: "ecc",
    curve: "curve25519Legacy",
    userIDs: [{ name: "Mask owner" }],
    format: "armored",
  });
  return publicKey;
};

describe("The key that a user's mail is encrypted to", () => {
  let server: TestServer;
  let user: Client;
  beforeEach(async () => {
    server = await startServer();
    user = await server.signIn("owner@example.org");
  });
  afterEach(() => server.stop());

  const setUp = (publicKey: string) => user.call("POST", "/keys/setup", { body: { publicKey } });
  const status = async () => (await user.call("GET", "/keys/status")).json;

  it("is absent at first, and a request without a key creates none (D40)", async () => {
    expect(await status()).to.deep.equal({ status: "not-configured" });
    const answer = await user.call("POST", "/keys/setup");
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json).to.have.property("status", "awaiting-device-key");
    expect(await status()).to.deep.equal({ status: "not-configured" });
  });

  it("is added, announced by a notification, listed and removed", async () => {
    const taken = await setUp(keyNamed("good"));
    expect(taken.status, taken.text).to.equal(200);
    const { fingerprint } = taken.json as { fingerprint: string };
    expect(await status()).to.deep.equal({ status: "configured", fingerprint });
    expect((await user.call("GET", "/account")).json).to.have.property("keyStatus", "configured");
    const { keys } = (await user.call("GET", "/keys")).json as { keys: { publicKey: string }[] };
    expect(keys.map(({ publicKey }) => publicKey.includes("PRIVATE"))).to.deep.equal([false]);
    expect((await user.call("DELETE", "/keys")).json).to.deep.equal({ status: "not-configured" });
    expect((await user.call("GET", "/account")).json).to.have.property("keyStatus", "not-configured");
  });

  it("is sent to subscribed pages when it is added or removed", async () => {
    const page = await openSocket(server.origin, user);
    page.send("subscribe", { resource: "keys" });
    await settle(page);
    await setUp(keyNamed("good"));
    await user.call("DELETE", "/keys");
    await settle(page);
    const changes = receivedData(page, "data_update");
    expect(changes.map((change) => change?.["resource"])).to.deep.equal(["keys", "keys"]);
    expect(changes.at(-1)).to.deep.equal({
      resource: "keys",
      action: "updated",
      entity: { status: "not-configured", keys: [] },
    });
    expect(receivedData(page, "error")).to.deep.equal([]);
    page.socket.terminate();
  });

  it("is refused with the reason if it is invalid, and the previous key stays", async () => {
    await setUp(keyNamed("good"));
    const refused = await setUp(keyNamed("private"));
    expect(refused.status).to.equal(400);
    expect(refused.json).to.have.property(
      "message",
      "This is a private key. Keep it to yourself, and paste the public key.",
    );
    expect(await status()).to.have.property("status", "configured");
  });

  it("causes a notification to its owner when it is replaced or removed", async () => {
    await setUp(keyNamed("good"));
    await setUp(keyNamed("goodRsa"));
    await user.call("DELETE", "/keys");
    const { json } = await user.call("GET", "/notifications?limit=10");
    const { notifications } = json as { notifications: { message: string }[] };
    expect(notifications.map(({ message }) => message)).to.deep.equal([
      "Your mail is no longer encrypted. If this was not you, end all other sessions.",
      "The key your mail is encrypted to was changed. If this was not you, end all other sessions.",
    ]);
  });

  it("is not visible to other users", async () => {
    await setUp(keyNamed("good"));
    const other = await server.signIn("other@example.org");
    expect((await other.call("GET", "/keys")).json).to.deep.equal({ keys: [] });
  });

  const published = async (localPart: string) =>
    fetch(`${server.origin}/.well-known/openpgpkey/hu/${webKeyName(localPart)}?l=${localPart}`);

  const publish = (isPublished: boolean) =>
    user.call("PUT", "/keys/published", { body: { published: isPublished } });

  const isPublished = async () =>
    ((await user.call("GET", "/keys")).json as { keys: { published: boolean }[] }).keys[0]?.published;

  it("is not published before its owner allows it, because it links the masks", async () => {
    const mask = (await user.call("POST", "/masks", { body: { description: "Shop" } })).json;
    const [localPart = ""] = (mask as { maskEmail: string }).maskEmail.split("@");
    await setUp(await namingNobody());
    expect([await isPublished(), (await published(localPart)).status]).to.deep.equal([false, 404]);
    await publish(true);
    expect([await isPublished(), (await published(localPart)).status]).to.deep.equal([true, 200]);
    await user.call("DELETE", "/keys");
    await setUp(await namingNobody());
    expect([await isPublished(), (await published(localPart)).status]).to.deep.equal([false, 404]);
  });

  it("stays published when another replaces it, as its owner had chosen", async () => {
    await setUp(await namingNobody());
    await publish(true);
    await setUp(await namingNobody());
    expect(await isPublished()).to.equal(true);
  });

  it("is published for a mask only when it does not identify its owner", async () => {
    const mask = (await user.call("POST", "/masks", { body: { description: "Shop" } })).json;
    const [localPart = ""] = (mask as { maskEmail: string }).maskEmail.split("@");
    expect((await published(localPart)).status, "without a key").to.equal(404);
    await setUp(keyNamed("good"));
    await publish(true);
    expect((await published(localPart)).status, "a key with an address").to.equal(404);
    await setUp(await namingNobody());
    await publish(true);
    const answer = await published(localPart);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get("content-type")).to.equal("application/octet-stream");
    expect((await published("nobody")).status).to.equal(404);
  });

  it("is published only while its owner allows it, also after a new key replaced it", async () => {
    const refused = await user.call("PUT", "/keys/published", { body: { published: false } });
    expect([refused.status, refused.json]).to.deep.equal([
      409,
      { message: "There is no key to publish. Set up encryption first." },
    ]);
    const mask = (await user.call("POST", "/masks", { body: { description: "Shop" } })).json;
    const [localPart = ""] = (mask as { maskEmail: string }).maskEmail.split("@");
    await setUp(await namingNobody());
    await publish(true);
    expect((await published(localPart)).status).to.equal(200);
    const answer = await publish(false);
    expect([answer.status, answer.json]).to.deep.equal([200, { published: false }]);
    expect((await published(localPart)).status).to.equal(404);
    await setUp(await namingNobody());
    expect(await isPublished()).to.equal(false);
    expect((await published(localPart)).status).to.equal(404);
    await publish(true);
    expect((await published(localPart)).status).to.equal(200);
  });

  it("has the directory name of the example in the Web Key Directory draft", () => {
    expect(webKeyName("Joe.Doe")).to.equal("iy9q119eutrkn8s1mk4r39qejnbu3n5q");
  });
});
