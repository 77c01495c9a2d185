import { readFileSync } from "node:fs";
import type { Rule } from "../../core/rules/model/rule.ts";
import { keyRecord, signed } from "../../test/server/relay/encrypt/signedMail.ts";
import { startDnsStub } from "../../test/server/support/dnsStub.ts";
import { databaseUrl, runStatement } from "../../test/server/support/postgresql.ts";
import { setRules } from "../../test/server/support/ruledMask.ts";
import { postgresqlPrograms, startPostgresqlIn } from "../../test/support/postgresqlServer.ts";
import { mailOfSize } from "../mail/load.ts";
import { type Case, compare, isWanted } from "../mail/measure.ts";
import { type Subject, startOurs, startSink, type Variant } from "../mail/subject.ts";
import { measureReplies, unlimitedSenders } from "./replies.ts";
import { unmetRules } from "./unmetRules.ts";
import { measureWaiting } from "./waiting.ts";

const size = 10_240;
const case10kB: Case = { size, mails: 1_500, keepsConnections: false, recipientsOfMail: 1 };

const withRules = (name: string, rules: readonly Rule[]): Variant => ({
  name,
  prepare: async ({ db }, _owners, masks) => {
    for (const mask of masks) await setRules(db, mask, rules);
  },
});

const encrypted: Variant = {
  name: "encrypted to a key",
  prepare: async ({ db }, owners) => {
    const publicKey = readFileSync(new URL("../../test/data/keys/good.asc", import.meta.url), "utf8");
    for (const { id } of owners)
      await db
        .insertInto("public_keys")
        .values({ user_id: id, public_key: publicKey, fingerprint: "A", created_at: 0 })
        .execute();
  },
};

const codesShown: Variant = {
  name: "codes shown",
  prepare: async ({ db }) => {
    await db.updateTable("users").set({ show_codes: 1 }).execute();
  },
};

/** Prints what each way of a mail costs beside the plain one of the same product in the same run. */
const compareVariants = async (variants: readonly Variant[], one: Case, title: string): Promise<void> => {
  const sink = await startSink();
  const subjects: Subject[] = [];
  try {
    for (const variant of [{ name: "plain" }, ...variants])
      subjects.push(await startOurs(sink.port, variant));
    await compare(title, one, subjects, sink);
  } finally {
    for (const subject of subjects) await subject.stop();
    sink.stop();
  }
};

/** Every sender is judged, and the mail carries a DKIM signature that passes. */
const compareJudged = async (): Promise<void> => {
  const dns = await startDnsStub({
    "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
    "_dmarc.shop.example": { TXT: ["v=DMARC1; p=reject"] },
    "mail._domainkey.shop.example": { TXT: [keyRecord] },
  });
  try {
    const environment = { ...unlimitedSenders, DNS_SERVER: dns.address };
    const mail = await signed(mailOfSize(size), "shop.example");
    await compareVariants(
      [{ name: "SPF, DKIM, DMARC judged", environment }],
      { ...case10kB, mail },
      "10 kB, signed",
    );
  } finally {
    await dns.close();
  }
};

const comparePostgresql = async (): Promise<void> => {
  const bin = postgresqlPrograms();
  if (bin === null) return console.log("PostgreSQL is not installed: it is not compared.");
  const server = await startPostgresqlIn(bin, true);
  try {
    await runStatement(server.url, "create database bauta_bench");
    const environment = { DATABASE_URL: databaseUrl(server.url, "bauta_bench") };
    await compareVariants([{ name: "PostgreSQL, one process", environment }], case10kB, "10 kB, stores");
  } finally {
    await server.stop();
  }
};

/**
 * Measures what the ways of a mail cost beside the plain one: rules, encryption, codes, judging senders, PostgreSQL, replies
 * with direct delivery, and a queue in which 100,000 mails wait. `BENCH_CASES` names some, separated by semicolons.
 */
export const run = async (): Promise<void> => {
  const rules = [
    withRules("10 header rules", unmetRules("header", 10)),
    withRules("10 rules with the text", unmetRules("text", 10)),
    withRules("10 regular expressions", unmetRules("pattern", 10)),
  ];
  const paths: Readonly<Record<string, () => Promise<void>>> = {
    rules: () => compareVariants(rules, case10kB, "10 kB, rules"),
    encrypted: () => compareVariants([encrypted], case10kB, "10 kB, encrypted"),
    codes: () => compareVariants([codesShown], case10kB, "10 kB, codes"),
    judged: compareJudged,
    postgresql: comparePostgresql,
    replies: measureReplies,
    waiting: measureWaiting,
  };
  for (const [name, measurePath] of Object.entries(paths)) if (isWanted(name)) await measurePath();
};
