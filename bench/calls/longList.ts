import { setTimeout as sleep } from "node:timers/promises";
import { csrfCookie, csrfHeader } from "../../core/api/csrfNames.ts";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { connectSmtp } from "../../test/server/support/smtpClient.ts";
import { exchange, type Sent } from "../http.ts";
import { type BenchAccount, createBenchAccount } from "../page/account.ts";

const masks = 10_000;
const mails = 500;
const changeEachMs = 50;
const rounds = 3;
/** So many mails that one sender may not send so many to one account otherwise. */
const unlimited = {
  SENDER_MAILS_PER_MINUTE: "100000",
  SENDER_MAILS_PER_HOUR: "100000",
  SENDER_DAILY_SHARE: "100",
};

const headersOf = ({ kept, token }: BenchAccount): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
  cookie: kept.cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
  [csrfHeader]: kept.cookies.find(({ name }) => name === csrfCookie)?.value ?? "",
  "content-type": "application/json",
});

interface ListedMask {
  readonly id: string;
  readonly maskEmail: string;
}

const firstMask = async ({ url }: RunningServer, account: BenchAccount): Promise<ListedMask> => {
  const { body } = await exchange({ url: `${url}/masks?limit=1`, headers: headersOf(account) });
  const { masks: listed } = JSON.parse(body.toString()) as { readonly masks: readonly ListedMask[] };
  if (listed[0] === undefined) throw new Error("the account has no mask");
  return listed[0];
};

/** Sends mails one after the other; returns the 99th percentile of their times until the 250, in milliseconds. */
const sendMails = async ({ smtpPort }: RunningServer, recipient: string): Promise<number> => {
  const connection = await connectSmtp(smtpPort);
  const times: number[] = [];
  for (let n = 0; n < mails; n += 1) {
    const began = performance.now();
    const reply = await connection.mail("shop@shop.example", [recipient], "Subject: News\r\n\r\nHello.\r\n");
    if (!reply.startsWith("250")) throw new Error(`a mail was answered with ${reply}`);
    times.push(performance.now() - began);
  }
  connection.destroy();
  return times.toSorted((one, other) => one - other)[Math.floor(mails * 0.99)] ?? Number.NaN;
};

interface Exchanged {
  readonly ms: number;
  readonly bytes: number;
}

/** Sends a request; its compressed answer is not decompressed, which would hold up the sender of the mails. */
const timed = async (sent: Sent): Promise<Exchanged> => {
  const began = performance.now();
  const { body } = await exchange({ ...sent, headers: { ...sent.headers, "accept-encoding": "gzip" } });
  return { ms: performance.now() - began, bytes: body.length };
};

/** Measures how much longer mail waits while somebody's long list changes and is asked for again and again. */
const measureMailMeanwhile = async (server: RunningServer, long: BenchAccount): Promise<void> => {
  const { maskEmail } = await firstMask(server, await createBenchAccount(server, 1));
  const { id } = await firstMask(server, long);
  const headers = headersOf(long);
  let changes = 0;
  const change = (): Promise<Exchanged> => {
    changes += 1;
    const body = JSON.stringify({ description: `Shop ${changes}` });
    return timed({ url: `${server.url}/masks/${id}`, method: "PUT", headers, body });
  };
  const changeAndList = async (): Promise<Exchanged> => {
    await change();
    return timed({ url: `${server.url}/masks`, headers });
  };
  const sendMailsBeside = async (act: () => Promise<Exchanged>): Promise<number> => {
    let isOver = false;
    const actAgain = async (): Promise<void> => {
      while (!isOver) await Promise.all([act(), sleep(changeEachMs)]);
    };
    const acting = actAgain();
    const p99 = await sendMails(server, maskEmail);
    isOver = true;
    await acting;
    return p99;
  };
  await sendMailsBeside(changeAndList);
  const alone: number[] = [];
  const changing: number[] = [];
  const listing: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await sendMails(server, maskEmail));
    changing.push(await sendMailsBeside(change));
    listing.push(await sendMailsBeside(changeAndList));
  }
  const medianOf = (times: readonly number[]): number =>
    times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
  const aloneMs = medianOf(alone);
  const changingMs = medianOf(changing);
  const listingMs = medianOf(listing);
  console.log(
    `mail, p99 alone ${aloneMs.toFixed(1)} ms, while a mask of ${masks} changes each ${changeEachMs} ms ${changingMs.toFixed(1)} ms, and the list is asked for each time ${listingMs.toFixed(1)} ms: ${(listingMs / changingMs).toFixed(2)} × (at most 1.2), ${(listingMs / aloneMs).toFixed(2)} × alone`,
  );
};

/** Measures how long a list of 10,000 masks takes: its first page, and all of it before and after it is cached. */
export const measureLongList = async (): Promise<void> => {
  const server = await startServer({ LOG_LEVEL: "silent", ...unlimited });
  try {
    const account = await createBenchAccount(server, masks);
    const take = async (name: string, path: string): Promise<void> => {
      const { ms, bytes } = await timed({ url: `${server.url}${path}`, headers: headersOf(account) });
      console.log(`${name.padEnd(58)}  ${ms.toFixed(0).padStart(5)} ms  ${bytes} bytes sent`);
    };
    await take("one mask, which warms the server", "/masks?limit=1");
    await take(`the first 100 of ${masks} masks`, "/masks?limit=100");
    await take(`all ${masks} masks`, "/masks");
    await take(`all ${masks} masks, unchanged`, "/masks");
    await measureMailMeanwhile(server, account);
  } finally {
    await server.stop();
    await server.removeData();
  }
};
