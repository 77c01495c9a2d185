import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { webhookPayloads } from "../../core/webhooks/webhookEvent.ts";
import { newWebhookSecret, signedHeaders } from "../../server/features/webhooks/webhookSecret.ts";
import { createSeededRandom } from "../fakes/seededRandom.ts";
import { skipWithout } from "../support/missing.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/webhooks.md"), "utf8");
const run = promisify(execFile);

/** Returns the only example of the page in a language. */
const exampleIn = (language: string): string => {
  const [first, ...more] = Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms")));
  if (!first?.[1] || more.length > 0) throw new Error(`docs/webhooks.md has not one example in ${language}`);
  return first[1];
};

const hasProgram = (name: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(name, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

interface Received {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Runs a program that writes the message it has read as JSON, or fails. */
const read = async (program: string, args: readonly string[], received: Received): Promise<unknown> => {
  const { secret, headers, body } = received;
  const input = { SECRET: secret, HEADERS: JSON.stringify(headers), BODY: body };
  const { stdout } = await run(program, [...args], { cwd: root, env: { ...process.env, ...input } });
  return JSON.parse(stdout);
};

const inNode = (received: Received): Promise<unknown> =>
  read(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `${exampleIn("js")}
const { SECRET, HEADERS, BODY } = process.env;
console.log(JSON.stringify(readMessage(SECRET, JSON.parse(HEADERS), BODY)));`,
    ],
    received,
  );

const inPython = (received: Received): Promise<unknown> =>
  read(
    "python3",
    [
      "-c",
      `${exampleIn("python")}
import os
print(json.dumps(read_message(os.environ["SECRET"], json.loads(os.environ["HEADERS"]), os.environ["BODY"].encode())))`,
    ],
    received,
  );

describe("The examples of docs/webhooks.md", () => {
  const random = createSeededRandom();
  const [secret, earlier] = [newWebhookSecret(random), newWebhookSecret(random)];
  const body = JSON.stringify({ ...JSON.parse(exampleIn("json")), text: "Grüße €" });
  const sign = (at: number): Received => ({
    secret,
    headers: signedHeaders([earlier, secret], { id: "msg_1", at, body }),
    body,
  });
  const isRead = (reading: Promise<unknown>): Promise<boolean> =>
    reading.then(
      (message) => {
        expect(message).to.deep.equal(JSON.parse(body));
        return true;
      },
      () => false,
    );

  const readsOnlySigned = async (reader: (received: Received) => Promise<unknown>): Promise<void> => {
    const now = Date.now();
    const fresh = sign(now);
    const readings = [
      fresh,
      { ...fresh, body: body.replace("forwarded", "forwarder") },
      { ...fresh, secret: newWebhookSecret(random) },
      { ...fresh, headers: { ...fresh.headers, "webhook-id": "msg_2" } },
      sign(now - 6 * 60_000),
    ].map((received) => isRead(reader(received)));
    expect(await Promise.all(readings)).to.deep.equal([true, false, false, false, false]);
  };

  it("show a message as it is sent", () => {
    expect(webhookPayloads["mail.forwarded"].is(JSON.parse(exampleIn("json")))).to.equal(true);
  });

  it("read signed messages and refuse others in Node", () => readsOnlySigned(inNode));

  it("read signed messages and refuse others in Python", async function () {
    // removeprefix came with Python 3.9.
    if (!hasProgram("python3", "-c", "''.removeprefix")) return skipWithout(this, "Python");
    return readsOnlySigned(inPython);
  });

  it("compute a signature in a shell", async function () {
    const isThere = hasProgram("openssl", "version") && hasProgram("sh", "-c", "command -v xxd base64");
    if (!isThere) return skipWithout(this, "OpenSSL and xxd");
    const { headers } = sign(Date.now());
    const { stdout } = await run("sh", ["-c", exampleIn("sh")], {
      env: {
        ...process.env,
        SECRET: secret,
        ID: headers["webhook-id"],
        TIMESTAMP: headers["webhook-timestamp"],
        BODY: body,
      },
    });
    expect(headers["webhook-signature"]?.split(" ")).to.include(`v1,${stdout.trim()}`);
    return undefined;
  });
});
