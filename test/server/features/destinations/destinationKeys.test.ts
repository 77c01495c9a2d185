import { expect } from "chai";
import { generateKey, type KeyOptions, readKey } from "openpgp";
import type { Destination } from "../../../../core/destinations/destinationEndpoints.ts";
import type {
  DestinationKey,
  KeySearch,
  OfferedKey,
} from "../../../../core/destinations/destinationKeyEndpoints.ts";
import type { Client } from "../../support/client.ts";
import { proveByCode } from "../../support/recentProof.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { startWebKeyServer, type WebKeyServer } from "../../support/webKeyServer.ts";

const ada = "Ada.L@home.example";
const advancedHost = "openpgpkey.home.example";

/** Makes a key of an address, armored and binary. */
const keyOf = async (email: string, options: Partial<KeyOptions> = {}) => {
  const { publicKey } = await generateKey({
    type: "curve25519",
    userIDs: [{ name: "Ada", email }],
    format: "object",
    // Before the clock of the server, which stands.
    date: new Date(Date.now() - 3_600_000),
    ...options,
  } as KeyOptions & { format: "object" });
  return { armored: publicKey.armor(), bytes: Buffer.from(publicKey.write()) };
};

for (const store of everyStore)
  describe(`The keys of a destination, on ${store.name}`, () => {
    let keys: WebKeyServer;
    let server: TestServer;
    let client: Client;
    let destination: Destination;

    before(requireStore(store));
    beforeEach(async () => {
      keys = await startWebKeyServer(advancedHost);
      server = await startServer({ store, getFromPublicHost: keys.get, clockStands: true });
      client = await server.signIn(ada);
      await client.call("POST", "/masks", { body: { description: "First" } });
      destination = await read();
    });
    afterEach(async () => {
      await server?.stop();
      await keys?.close();
    });

    const read = async (): Promise<Destination> => {
      const { destinations } = (await client.call("GET", "/destinations")).json as {
        destinations: Destination[];
      };
      const [first] = destinations;
      if (!first) throw new Error("there is no destination");
      return first;
    };
    const list = async () =>
      (await client.call("GET", `/destinations/${destination.id}/keys`)).json as {
        keys: DestinationKey[];
        offered: OfferedKey | null;
      };
    const search = async (): Promise<KeySearch> =>
      (await client.call("POST", `/destinations/${destination.id}/keys/search`)).json as KeySearch;
    const patch = (body: object) => client.call("PATCH", `/destinations/${destination.id}`, { body });
    const messages = async (): Promise<readonly string[]> =>
      (
        (await client.call("GET", "/notifications?limit=50")).json as { notifications: { message: string }[] }
      ).notifications.map(({ message }) => message);

    it("are looked for at the domain of the address, and only offered", async () => {
      const { bytes, armored } = await keyOf(ada);
      keys.answer = (response) => response.end(bytes);
      const { found, refusal } = await search();
      expect(refusal).to.equal(null);
      expect(found).to.deep.include({
        fingerprint: (await readKey({ armoredKey: armored })).getFingerprint().toUpperCase(),
        userIds: [`Ada <${ada}>`],
        algorithm: "X25519",
        expires: null,
      });
      expect(keys.asked).to.have.length(1);
      expect(keys.asked[0]).to.match(
        /^openpgpkey\.home\.example \/\.well-known\/openpgpkey\/home\.example\/hu\/[a-z0-9]{32}\?l=Ada\.L$/,
      );
      expect((await read()).keyFingerprint).to.equal(null);
      expect(await list()).to.deep.equal({ keys: [], offered: null });

      expect((await patch({ addKeys: [found?.publicKey] })).status).to.equal(200);
      expect((await read()).keyFingerprint).to.equal(found?.fingerprint);
      expect((await list()).keys.map(({ fingerprint }) => fingerprint)).to.deep.equal([found?.fingerprint]);
    });

    it("are looked for at the domain itself where it has no host for keys", async () => {
      await keys.close();
      await server.stop();
      keys = await startWebKeyServer("home.example");
      server = await startServer({ store, getFromPublicHost: keys.get, clockStands: true });
      client = await server.signIn(ada);
      await client.call("POST", "/masks", { body: { description: "First" } });
      destination = await read();
      const { bytes } = await keyOf(ada);
      keys.answer = (response) => response.end(bytes);
      expect((await search()).found).to.have.property("algorithm", "X25519");
      expect(keys.asked[0]).to.match(
        /^home\.example \/\.well-known\/openpgpkey\/hu\/[a-z0-9]{32}\?l=Ada\.L$/,
      );
    });

    it("are five at most, are changed only with recent proof, and each change is told", async () => {
      const five = await Promise.all([1, 2, 3, 4, 5].map(() => keyOf(ada)));
      expect((await patch({ addKeys: five.map(({ armored }) => armored) })).status).to.equal(200);
      const more = await patch({ addKeys: [(await keyOf(ada)).armored] });
      expect(more.status).to.equal(400);
      expect(more.text).to.contain("An address can have 5 keys");
      const { keys: used } = await list();
      expect(used).to.have.length(5);
      expect((await patch({ addKeys: [five[0]?.armored] })).status).to.equal(200);

      server.clock.advance(10 * 60_000);
      const fingerprints = used.map(({ fingerprint }) => fingerprint);
      const removed = { removeKeys: fingerprints.slice(1) };
      expect((await patch(removed)).status).to.equal(403);
      expect((await list()).keys).to.have.length(5);
      await proveByCode(server, client, ada);
      expect((await patch(removed)).json).to.include({ keyFingerprint: fingerprints[0] });
      await patch({ removeKeys: fingerprints });
      expect(await read()).to.include({ keyFingerprint: null });
      const told = (await messages()).filter((one) => one.startsWith("Mail to "));
      expect(told.map((one) => /^Mail to \S+ (.+?)\./.exec(one)?.[1])).to.deep.equal([
        "is no longer encrypted to a key of its own",
        "is encrypted to fewer keys now",
        "is encrypted to another key now",
      ]);
    });

    it("of another user are neither shown, looked for nor changed", async () => {
      const other = await server.signIn("eve@home.example");
      const path = `/destinations/${destination.id}`;
      expect((await other.call("GET", `${path}/keys`)).status).to.equal(404);
      expect((await other.call("POST", `${path}/keys/search`)).status).to.equal(404);
      expect((await other.call("PATCH", path, { body: { removeKeys: ["A"] } })).status).to.equal(404);
      expect(keys.asked).to.deep.equal([]);
    });

    it("are looked for 20 times an hour, and not before an address is confirmed", async () => {
      const added = (await client.call("POST", "/destinations", { body: { email: "b@home.example" } }))
        .json as Destination;
      const early = await client.call("POST", `/destinations/${added.id}/keys/search`);
      expect(early.status).to.equal(409);
      for (let n = 0; n < 20; n += 1) expect((await search()).refusal).to.equal("no-key");
      expect((await client.call("POST", `/destinations/${destination.id}/keys/search`)).status).to.equal(429);
      expect(keys.asked).to.have.length(20);
    });
  });
