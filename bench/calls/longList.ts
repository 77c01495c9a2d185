import { csrfCookie, csrfHeader } from "../../core/api/csrf.ts";
import { type RunningServer, startServer } from "../../test/e2e/support/server.ts";
import { connectSmtp } from "../../test/server/support/smtpClient.ts";
import { type BenchAccount, createBenchAccount } from "../page/account.ts";

const masks = 10_000;
const mails = 300;
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
  const response = await fetch(`${url}/masks?limit=1`, { headers: headersOf(account) });
  const { masks: listed } = (await response.json()) as { readonly masks: readonly ListedMask[] };
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

/** Measures how much longer mail waits while somebody's long list is made anew again and again. */
const measureMailMeanwhile = async (server: RunningServer, long: BenchAccount): Promise<void> => {
  const { maskEmail } = await firstMask(server, await createBenchAccount(server, 1));
  const { id } = await firstMask(server, long);
  await sendMails(server, maskEmail);
  const aloneMs = await sendMails(server, maskEmail);
  let lists = 0;
  let isOver = false;
  const listAgain = async (): Promise<void> => {
    while (!isOver) {
      const body = JSON.stringify({ description: `Shop ${lists}` });
      const changed = { method: "PUT", headers: headersOf(long), body };
      await (await fetch(`${server.url}/masks/${id}`, changed)).arrayBuffer();
      await (await fetch(`${server.url}/masks`, { headers: headersOf(long) })).arrayBuffer();
      lists += 1;
    }
  };
  const listing = listAgain();
  const besideMs = await sendMails(server, maskEmail);
  isOver = true;
  await listing;
  console.log(
    `mail, p99 alone ${aloneMs.toFixed(1)} ms, while ${lists} lists of ${masks} are made ${besideMs.toFixed(1)} ms: ${(besideMs / aloneMs).toFixed(2)} × (at most 1.2)`,
  );
};

/** Measures how long a list of 10,000 masks takes: its first page, and all of it before and after it is cached. */
export const measureLongList = async (): Promise<void> => {
  const server = await startServer({ LOG_LEVEL: "silent", ...unlimited });
  try {
    const account = await createBenchAccount(server, masks);
    const take = async (name: string, path: string): Promise<void> => {
      const began = performance.now();
      const response = await fetch(`${server.url}${path}`, { headers: headersOf(account) });
      const bytes = (await response.arrayBuffer()).byteLength;
      const ms = (performance.now() - began).toFixed(0);
      const sent = response.headers.get("content-length");
      console.log(
        `${name.padEnd(58)}  ${response.status}  ${ms.padStart(5)} ms  ${sent} of ${bytes} bytes sent`,
      );
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
