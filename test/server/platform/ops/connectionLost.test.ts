import { expect } from "chai";
import { sql } from "kysely";
import { bystander } from "../../support/bystander.ts";
import { usePostgresql } from "../../support/databases.ts";
import { startListener } from "../../support/listener.ts";
import { addMask, addOwner } from "../../support/owners.ts";
import { plainMail } from "../../support/plainMail.ts";
import { until } from "../../support/until.ts";

describe("A relay whose connections to PostgreSQL are cut again and again", () => {
  const { database, another } = usePostgresql();

  it("answers 250 or 4xx, stores every mail answered 250 once, and goes on by itself", async () => {
    const { db } = await another();
    const mask = await addMask(db, await addOwner(db, "self_hosted"));
    const relay = await startListener(database());
    let [isOver, answered] = [false, 0];
    /** Cuts all connections again after every few answers. */
    const cut = async (): Promise<number> => {
      let cuts = 0;
      while (!isOver) {
        const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
        cuts += rows.length;
        const before = answered;
        await until("more mails are answered", () => isOver || answered >= before + 3);
      }
      return cuts;
    };
    const send = async (): Promise<readonly string[]> => {
      const client = await relay.connect();
      const answers: string[] = [];
      for (let n = 0; n < 100; n += 1) {
        answers.push(await client.mail("orders@shop.example", [mask.email], plainMail));
        answered += 1;
      }
      return answers;
    };
    const cutting = cut();
    const answers = (await Promise.all([send(), send(), send(), send()])).flat();
    isOver = true;
    expect(await cutting).to.be.above(0);
    expect(answers.filter((answer) => !/^(?:250|4\d\d) /.test(answer))).to.deep.equal([]);
    const taken = answers.filter((answer) => answer.startsWith("250")).length;
    const client = await relay.connect();
    let last = "";
    for (let tries = 0; tries < 20 && !last.startsWith("250"); tries += 1)
      last = await client.mail("orders@shop.example", [mask.email], plainMail);
    expect(last).to.match(/^250/);
    const stored = (
      await db.selectFrom("queue").where("user_id", "is distinct from", bystander.id).select("id").execute()
    ).length;
    const { received } = await db
      .selectFrom("monthly_usage")
      .where("user_id", "!=", bystander.id)
      .select("received")
      .executeTakeFirstOrThrow();
    expect(received).to.equal(stored);
    // A commit whose confirmation was cut off may have happened; its mail was answered 4xx and comes again.
    expect(stored).to.be.within(taken + 1, answers.length + 1);
    await relay.close();
  });
});
