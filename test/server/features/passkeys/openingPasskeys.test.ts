import { expect } from "chai";
import { openingPasskeys } from "../../../../server/features/passkeys/keyBackups.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { addOwner } from "../../support/owners.ts";

describe("The passkeys that open the key in use", () => {
  onEachDatabase(({ database }) => {
    it("are not those with an earlier key, also when another account uses that key", async () => {
      const { db } = database();
      const [owner, other] = [await addOwner(db), await addOwner(db)];
      const passkey = {
        id: "passkey",
        user_id: owner.id,
        credential_id: "credential",
        public_key: "",
        counter: 0,
        verifies: 1,
        transports: "[]",
        name: "Phone",
        synced: 0,
        backed_up: 0,
        aaguid: "",
        created_at: 0,
        last_used_at: null,
      };
      await db.insertInto("passkeys").values(passkey).execute();
      const backup = { passkey_id: passkey.id, user_id: owner.id, fingerprint: "SHARED", backup: "" };
      await db
        .insertInto("key_backups")
        .values({ ...backup, created_at: 0 })
        .execute();
      const use = (userId: string, fingerprint: string): Promise<unknown> =>
        db
          .insertInto("public_keys")
          .values({ user_id: userId, public_key: "", fingerprint, created_at: 0 })
          .execute();
      await use(other.id, "SHARED");
      await use(owner.id, "NEW");
      expect([...(await openingPasskeys(db, owner.id))]).to.deep.equal([]);
      await db
        .updateTable("public_keys")
        .set({ fingerprint: "SHARED" })
        .where("user_id", "=", owner.id)
        .execute();
      expect([...(await openingPasskeys(db, owner.id))]).to.deep.equal([passkey.id]);
    });
  });
});
