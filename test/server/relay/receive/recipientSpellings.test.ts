import { expect } from "chai";
import fc from "fast-check";
import { toDomainName } from "../../../../core/mail/domainName.ts";
import { domainOf } from "../../../../core/mail/emailAddress.ts";
import { findOwnMask } from "../../../../server/features/replies/replyQueries.ts";
import { spellingOf } from "../../../support/spellings.ts";
import { useSqlite } from "../../support/databases.ts";
import { maskDomain, useListener } from "../../support/listener.ts";
import { addDomain, addMask, addOwner } from "../../support/owners.ts";

const mailFrom = "MAIL FROM:<orders@shop.example> SMTPUTF8";

describe("A recipient whose domain is written otherwise", () => {
  const { database } = useSqlite();
  const relay = useListener(database);

  const answerTo = async (address: string): Promise<string> => {
    const client = await relay.connect();
    await client.say("EHLO client.example");
    await client.say(mailFrom);
    const answer = await client.say(`RCPT TO:<${address}>`);
    client.destroy();
    return answer;
  };

  it("is the same mask in each spelling that browsers read, and no other mask in any", async () => {
    const { db } = database();
    const owner = await addOwner(db);
    await addDomain(db, owner, { catch_all: "off" }, "xn--bcher-kva.example");
    await addMask(db, owner, { email: "bcdfghjkmn@masks.example" });
    await addMask(db, owner, { email: "shop@xn--bcher-kva.example" });
    for (const domain of ["masks.example", "MASKS.EXAMPLE", "masks。example", "ｍasks.example"]) {
      expect(await answerTo(`bcdfghjkmn@${domain}`), domain).to.match(/^250/);
      expect(await answerTo(`postmaster@${domain}`), domain).to.match(/^250/);
      expect(await answerTo(`hostmaster@${domain}`), domain).to.match(/^550/);
    }
    for (const domain of ["bücher.example", "BÜCHER.example", "XN--BCHER-KVA.EXAMPLE"])
      expect(await answerTo(`shop@${domain}`), domain).to.match(/^250/);
    for (const domain of ["%6dasks.example", "ma\u200bsks.example", "ma\ufe0fsks.example", "masks.example/"])
      expect(await answerTo(`bcdfghjkmn@${domain}`), domain).to.match(/^5/);
  });

  it("is never a mask with a name of the installation, however it got its row", async () => {
    const { db } = database();
    const owner = await addOwner(db);
    for (const localPart of ["hostmaster", "admin", "no-reply"])
      await addMask(db, owner, { email: `${localPart}@masks.example` });
    const address = fc
      .tuple(fc.constantFrom("hostmaster", "ADMIN", '"hostmaster"', "no-reply"), spellingOf("masks.example"))
      .map((parts) => parts.join("@"));
    await fc.assert(
      fc.asyncProperty(address, async (one) => {
        expect(await answerTo(one), JSON.stringify(one)).to.match(/^5/);
      }),
      { numRuns: 40 },
    );
  });

  it("is the same mask for a mail program that logs in with it", async () => {
    const { db } = database();
    const owner = await addOwner(db);
    await addDomain(db, owner, {}, "xn--bcher-kva.example");
    const { id } = await addMask(db, owner, { email: "shop@xn--bcher-kva.example" });
    for (const email of ["shop@bücher.example", "Shop@BÜCHER。example", "SHOP@xn--bcher-kva.example."])
      expect(await findOwnMask(db, { userId: owner.id, email }, maskDomain), email).to.equal(id);
    for (const localPart of ["hostmaster", "Admin"]) {
      await addMask(db, owner, { email: `${localPart}@masks.example` });
      for (const domain of ["masks.example", "MASKS.EXAMPLE", "masks。example"]) {
        const email = `${localPart}@${domain}`;
        expect(await findOwnMask(db, { userId: owner.id, email }, maskDomain), email).to.equal(null);
      }
    }
  });

  it("is accepted only where its domain is one of ours", async () => {
    const { db } = database();
    await addMask(db, await addOwner(db), { email: "bcdfghjkmn@masks.example" });
    const address = spellingOf("masks.example").map((domain) => `bcdfghjkmn@${domain}`);
    await fc.assert(
      fc.asyncProperty(address, async (one) => {
        if ((await answerTo(one)).startsWith("250"))
          expect(toDomainName(domainOf(one)), JSON.stringify(one)).to.equal("masks.example");
      }),
      { numRuns: 60 },
    );
  });
});
