import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import {
  countCodeMailTo,
  countMailOfNetwork,
} from "../../../../server/features/signInCodes/codeMailLimit.ts";
import { usePostgresql } from "../../support/databases.ts";

const now = Date.UTC(2026, 10, 20, 9, 0, 0);

describe("Code mails asked of ten processes at once", () => {
  const { another } = usePostgresql();

  const databases = () => Promise.all(Array.from({ length: 10 }, another));
  const sent = (results: readonly PromiseSettledResult<unknown>[]): number =>
    results.filter(({ status }) => status === "fulfilled").length;

  it("are exactly five for a mailbox, by whatever variants of its address", async () => {
    const all = await databases();
    const results = await Promise.allSettled(
      all.flatMap((one, n) =>
        ["me@example.org", `me+${n}@example.org`, "me+shop@example.org"].map((address) =>
          one.transaction((db) => countCodeMailTo(db, mailboxKey(address), now)),
        ),
      ),
    );
    expect(sent(results)).to.equal(5);
  });

  it("are exactly 60 for a network, whatever the addresses are", async () => {
    const all = await databases();
    let count = 0;
    for (let round = 0; round < 4; round += 1)
      count += sent(
        await Promise.allSettled(
          all.flatMap((one) =>
            [1, 2].map(() => one.transaction((db) => countMailOfNetwork(db, "a network", now))),
          ),
        ),
      );
    expect(count).to.equal(60);
  });
});
