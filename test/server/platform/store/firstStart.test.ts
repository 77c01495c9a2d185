import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Kysely, sql } from "kysely";
import { systemClock } from "../../../../adapters/system/clockAndRandom.ts";
import { toBuffer } from "../../../../server/delivery/outgoingCopy.ts";
import type { Transport } from "../../../../server/delivery/transport.ts";
import { openDatabase } from "../../../../server/platform/store/database.ts";
import { earlierSteps } from "../../../../server/platform/store/earlierSchemas/earlierSteps.ts";
import { migrateTo } from "../../../../server/platform/store/schema.ts";
import { sqliteEngine } from "../../../../server/platform/store/sqlite.ts";
import type { Tables } from "../../../../server/platform/store/tables.ts";
import { startDelivery } from "../../support/runningDelivery.ts";
import { useTemporaryFolder } from "../../support/temporaryFolder.ts";
import { until } from "../../support/until.ts";

const text = (id: string): string => `From: a@shop.example\r\nSubject: ${id}\r\n\r\n.${id}\r\n`;
const hex = (content: string): string => `x'${Buffer.from(content).toString("hex")}'`;

describe("The first start of this version on the data of an earlier one", () => {
  const folder = useTemporaryFolder();
  const file = (): string => join(folder(), "bauta.db");

  /** Creates a data folder of a version, with mails that wait: two free ones, and one that was being sent. */
  const createOld = async (versions: readonly string[]): Promise<readonly string[]> => {
    const engine = sqliteEngine(file());
    const db = new Kysely<Tables>({ dialect: engine.dialect });
    await migrateTo(db, engine, versions);
    await sql`insert into users (id, email, email_key, tier, key_status, two_factor, mask_count, created_at)
      values ('u', 'owner@example.org', 'owner@example.org', 'pro', 'configured', 0, 1, 7)`.execute(db);
    const insert = (id: string, lease: string | null, body: string | null): Promise<unknown> =>
      sql
        .raw(
          `insert into queue (id, user_id, envelope_sender, recipient, content, size, status, attempts, next_attempt_at,
             lease, leased_until, created_at${body === null ? "" : ", body_id"})
           values ('${id}', 'u', '', 'owner@example.org', ${body === null ? hex(text(id)) : "null"}, ${text(id).length},
             'waiting', ${lease === null ? 0 : 1}, 5, ${lease === null ? "null" : `'${lease}'`}, 4102444800000, 5
             ${body === null ? "" : `, '${body}'`})`,
        )
        .execute(db);
    await insert("free", null, null);
    await insert("leased", "a process that has ended", null);
    const ids = ["free", "leased"];
    if (versions.includes("2026_11_29_bodies")) {
      await sql
        .raw(`insert into bodies (id, part, content) values ('b', 0, ${hex(text("split"))})`)
        .execute(db);
      await insert("split", null, "b");
      ids.push("split");
    }
    await db.destroy();
    return ids;
  };

  const names = (() => {
    const unused = mkdtempSync(join(tmpdir(), "bauta-versions-"));
    try {
      return Object.keys(earlierSteps(sqliteEngine(join(unused, "bauta.db"))));
    } finally {
      rmSync(unused, { recursive: true, force: true });
    }
  })();

  for (const last of [names[0], "2026_11_29_bodies", names.at(-2)].filter((name) => name !== undefined))
    it(`delivers every waiting mail once, from ${last}`, async () => {
      const ids = await createOld(names.slice(0, names.indexOf(last) + 1));
      const database = await openDatabase(sqliteEngine(file()));
      const sent: string[] = [];
      const transport: Transport = {
        send: async ({ chunks }) => {
          sent.push((await toBuffer(chunks())).toString());
          return { kind: "delivered", answer: "250 2.0.0 taken" };
        },
        abort: () => {},
      };
      const delivery = startDelivery(database, transport, systemClock);
      try {
        await until("nothing waits", async () => {
          const waiting = database.db.selectFrom("queue").select("id").where("status", "=", "waiting");
          return (await waiting.execute()).length === 0;
        });
        expect(sent.toSorted()).to.deep.equal(ids.map(text).toSorted());
      } finally {
        await delivery.stop();
        await database.close();
      }
    });
});
