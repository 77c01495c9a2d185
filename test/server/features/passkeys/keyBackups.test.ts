import { expect } from "chai";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import type { KeyBackup } from "../../../../core/passkeys/keyBackupEndpoints.ts";
import type { Passkeys } from "../../../../core/passkeys/passkeyEndpoints.ts";
import type { Answer, Client } from "../../support/client.ts";
import { createSoftwareAuthenticator } from "../../support/softwareAuthenticator.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const email = "owner@home.example";
const fingerprint = "A".repeat(40);
const backup = "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlocked\n-----END PGP PRIVATE KEY BLOCK-----\n";

for (const store of everyStore)
  describe(`The backups of keys that passkeys open, on ${store.name}`, () => {
    let server: TestServer;
    let owner: Client;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ clockStands: true, store });
      owner = await server.signIn(email);
    });
    afterEach(() => server?.stop());

    const addPasskey = async (client = owner): Promise<string> => {
      const { options } = (await client.call("POST", "/account/passkeys/options")).json as {
        options: unknown;
      };
      const made = createSoftwareAuthenticator().make(options);
      expect((await client.call("POST", "/account/passkeys", { body: made })).status).to.equal(201);
      return String(made["id"]);
    };
    const keep = (body: Partial<KeyBackup>, client = owner): Promise<Answer> =>
      client.call("PUT", "/account/key-backups", { body: { fingerprint, backup, ...body } });
    const kept = async (client = owner): Promise<readonly KeyBackup[]> =>
      ((await client.call("GET", "/account/key-backups")).json as { backups: readonly KeyBackup[] }).backups;
    const listed = async (): Promise<Passkeys> =>
      (await owner.call("GET", "/account/passkeys")).json as Passkeys;

    it("are kept one a passkey, the last one, and are gone with it", async () => {
      const credentialId = await addPasskey();
      expect((await keep({ credentialId, fingerprint: "B".repeat(40) })).status).to.equal(200);
      expect((await keep({ credentialId })).status).to.equal(200);
      expect(await kept()).to.deep.equal([{ credentialId, fingerprint, backup }]);
      const id = (await listed()).passkeys[0]?.id ?? "";
      expect((await owner.call("DELETE", `/account/passkeys/${id}/key-backup`)).status).to.equal(200);
      expect(await kept()).to.deep.equal([]);
      await keep({ credentialId });
      await owner.call("DELETE", `/account/passkeys/${id}`);
      expect(await kept()).to.deep.equal([]);
    });

    it("are seen and changed by their owner only", async () => {
      const credentialId = await addPasskey();
      await keep({ credentialId });
      const other = await server.signIn("other@home.example");
      expect(await kept(other)).to.deep.equal([]);
      expect((await keep({ credentialId }, other)).status).to.equal(404);
      const id = (await listed()).passkeys[0]?.id ?? "";
      expect((await other.call("DELETE", `/account/passkeys/${id}/key-backup`)).status).to.equal(404);
      expect(await kept()).to.have.length(1);
    });

    it("are refused where they are no locked key, and without a recent proof", async () => {
      const credentialId = await addPasskey();
      for (const wrong of [
        { fingerprint: "short" },
        { backup: "-----BEGIN PGP PUBLIC KEY BLOCK-----" },
        { backup: backup + "x".repeat(100_000) },
        { credentialId: "not base64url!" },
      ])
        expect((await keep({ credentialId, ...wrong })).status).to.equal(400);
      server.clock.advance(6 * minuteMs);
      expect((await keep({ credentialId })).status).to.equal(403);
      expect(await kept()).to.deep.equal([]);
    });
  });
