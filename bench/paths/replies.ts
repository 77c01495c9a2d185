import { join } from "node:path";
import { cryptoRandom, systemClock } from "../../adapters/system/clockAndRandom.ts";
import { ReverseAddresses } from "../../server/features/correspondents/reverseAddresses.ts";
import { openSecrets } from "../../server/platform/ops/secrets.ts";
import { openDatabase } from "../../server/platform/store/database.ts";
import { sqliteEngine } from "../../server/platform/store/sqlite.ts";
import { startDnsStub } from "../../test/server/support/dnsStub.ts";
import { addDestination } from "../../test/server/support/owners.ts";
import { type Case, compare } from "../mail/measure.ts";
import { type RunningSubject, restart, startOurs, startSink } from "../mail/subject.ts";

const one: Case = { size: 10_240, mails: 600, keepsConnections: false, recipientsOfMail: 1 };
const most = "1000000";
const mostReplies = "99999";
/** Every sender is judged, and may send as much as it likes. */
export const unlimitedSenders = {
  TRUSTED_NETWORKS: "none",
  SENDER_MAILS_PER_MINUTE: most,
  SENDER_MAILS_PER_HOUR: most,
  SENDER_DAILY_SHARE: "100",
};
const unlimited = {
  ...unlimitedSenders,
  REPLIES_PER_DAY: Array(4).fill(mostReplies).join(","),
  MX_MAILS_PER_MINUTE: most,
};
/** The address that all mail of the load comes from. */
const writer = "orders@shop.example";

/** Starts a product whose masks all have a correspondent, and whose users write from the address of the load. */
const startReplies = async (nextHop: number, environment: NodeJS.ProcessEnv): Promise<RunningSubject> => {
  const masks: { readonly userId: string; readonly maskId: string }[] = [];
  const started = await startOurs(nextHop, {
    name: "replies",
    environment,
    prepare: async ({ db }, owners) => {
      for (const owner of owners) await addDestination(db, { owner, email: writer, confirmed: true });
      for (const { id, user_id } of await db.selectFrom("masks").select(["id", "user_id"]).execute())
        masks.push({ userId: user_id, maskId: id });
    },
  });
  await started.server.stop();
  const { dataDir } = started.server;
  const database = await openDatabase(sqliteEngine(join(dataDir, "bauta.db")));
  const addresses = new ReverseAddresses({
    secrets: openSecrets(dataDir),
    random: cryptoRandom,
    clock: systemClock,
    database,
  });
  const recipients: string[] = [];
  for (const mask of masks) {
    const reverse = await addresses.prepare(mask, [{ name: "Bob", address: "bob@peer.example" }]);
    await addresses.record(database.db, reverse);
    recipients.push(...reverse.map(({ localPart }) => `${localPart}@masks.localhost`));
  }
  await database.close();
  return { ...(await restart(started)), recipients };
};

/**
 * Prints what replies through a mask cost beside forwarded mail, whose senders are judged as well, and what delivery to
 * the recipients' own server (`NEXT_HOP=mx`) costs beside a next hop.
 */
export const measureReplies = async (): Promise<void> => {
  const sink = await startSink();
  const dns = await startDnsStub({
    "shop.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
    "home.example": { MX: ["10 mx.home.example"] },
    "mx.home.example": { A: ["127.0.0.1"] },
  });
  const environment = { ...unlimited, DNS_SERVER: dns.address };
  const direct = { ...environment, NEXT_HOP: "mx", MX_PORT: String(sink.port), MX_NETWORKS: "127.0.0.0/8" };
  const subjects = [
    await startOurs(sink.port, { name: "forwarded to a next hop", environment }),
    await startOurs(sink.port, { name: "forwarded, NEXT_HOP=mx", environment: direct }),
    await startReplies(sink.port, environment),
  ];
  try {
    const line = `${"x".repeat(76)}\r\n`;
    const mail = Buffer.from(
      `From: <${writer}>\r\nSubject: Measured\r\n\r\n${line.repeat(one.size / line.length)}`,
    );
    await compare("10 kB, judged by SPF", { ...one, mail }, subjects, sink);
  } finally {
    for (const subject of subjects) await subject.stop();
    await dns.close();
    sink.stop();
  }
};
