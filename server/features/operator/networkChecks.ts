import { connect, type Socket } from "node:net";
import { connect as connectTls, type PeerCertificate } from "node:tls";
import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { errorCode } from "../../platform/errors/errorCode.ts";
import { type Check, ok, problem, unknown, warning } from "./check.ts";

const timeoutMs = 5_000;

const reasonOf = (error: unknown): string => errorCode(error) || "no answer";

const readGreeting = (host: string, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect({ host, port, timeout: timeoutMs });
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.once("data", (data) => end(() => resolve(data.toString("latin1").split("\r\n")[0] ?? "")));
    socket.once("timeout", () => end(() => reject(Object.assign(new Error(), { code: "ETIMEDOUT" }))));
    socket.once("end", () => end(() => reject(Object.assign(new Error(), { code: "closed" }))));
    socket.on("error", (error) => end(() => reject(error)));
  });

/** Connects to a mail server and reads its greeting. */
export const checkSmtp = async (
  title: string,
  { host, port }: { readonly host: string; readonly port: number },
  advice: string,
): Promise<Check> => {
  try {
    const greeting = await readGreeting(host, port);
    return greeting.startsWith("220") ? ok(title, greeting) : problem(title, greeting, advice);
  } catch (error) {
    return problem(title, `${host}:${port} ${reasonOf(error)}`, advice);
  }
};

const peerCertificate = (host: string, port: number, servername: string): Promise<PeerCertificate> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ host, port, servername, timeout: timeoutMs }, () => {
      const certificate = socket.getPeerCertificate();
      socket.destroy();
      resolve(certificate);
    });
    socket.once("timeout", () => {
      socket.destroy();
      reject(Object.assign(new Error(), { code: "ETIMEDOUT" }));
    });
    socket.on("error", reject);
  });

const endsSoonMs = 14 * dayMs;

/** Connects with HTTPS and checks that the certificate is valid for two more weeks. */
export const checkCertificate = async (
  publicUrl: string,
  now: number,
  connectTo?: { readonly host: string; readonly port: number },
): Promise<Check> => {
  const url = new URL(publicUrl);
  const title = `certificate of ${url.hostname}`;
  if (url.protocol !== "https:")
    return warning(title, "PUBLIC_URL is not https", "Set ACME_EMAIL, or put a TLS proxy before the app");
  const { host, port } = connectTo ?? { host: url.hostname, port: Number(url.port) || 443 };
  try {
    const { valid_to } = await peerCertificate(host, port, url.hostname);
    const ends = Date.parse(valid_to);
    const until = `valid until ${dayOf(ends)}`;
    return ends - now > endsSoonMs
      ? ok(title, until)
      : warning(title, until, "It should have been renewed: see the log for the reason");
  } catch (error) {
    return problem(
      title,
      reasonOf(error),
      "Browsers refuse the app: see ACME_EMAIL, or your proxy's certificate",
    );
  }
};

const readUrl = (url: string): Promise<Response> => fetch(url, { signal: AbortSignal.timeout(timeoutMs) });

/** Checks whether the parts of the running server are ready. */
export const checkServer = async (publicUrl: string): Promise<Check> => {
  const title = "server";
  try {
    const response = await readUrl(`${publicUrl}/healthz`);
    const { parts = {}, problems = [] } = (await response.json()) as {
      parts?: Record<string, boolean>;
      problems?: readonly string[];
    };
    const down = Object.entries(parts).flatMap(([part, isReady]) => (isReady ? [] : [part]));
    return response.ok
      ? ok(title, `ready at ${publicUrl}`)
      : problem(title, `not ready: ${down.join(", ")}`, problems.join(" ") || "See its log");
  } catch {
    return problem(
      title,
      `${publicUrl} does not answer`,
      "Start the server: npm start, or systemctl start bauta",
    );
  }
};

/** Reads the MTA-STS policy as senders do (RFC 8461, 3.3). */
export const checkMtaStsPolicy = async (maskDomain: string, read = readUrl): Promise<Check> => {
  const title = "MTA-STS policy";
  const url = `https://mta-sts.${maskDomain}/.well-known/mta-sts.txt`;
  try {
    const response = await read(url);
    const text = await response.text();
    return response.ok && text.includes("version: STSv1")
      ? ok(title, /mode: \w+/.exec(text)?.[0] ?? "served")
      : warning(title, `${url} answers ${response.status}`, "Let the name mta-sts reach this server");
  } catch {
    return unknown(
      title,
      `${url} does not answer`,
      `Create the record mta-sts.${maskDomain} and its certificate`,
    );
  }
};
