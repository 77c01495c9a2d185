import { createDecipheriv, createECDH, createHash, createPublicKey, hkdfSync, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PushPayload } from "../../../core/push/pushPayload.ts";
import { refuseBystander } from "../../support/bystanderMarker.ts";

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** The secrets of a browser's subscription, in base64url. */
export interface BrowserKeys {
  readonly privateKey: string;
  readonly p256dh: string;
  readonly auth: string;
}

const derive = (secret: Buffer, salt: Uint8Array, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));

/** Decrypts a message of one record as a browser does (RFC 8291, 3 and 4; RFC 8188, 2). */
export const decryptPush = (body: Buffer, { privateKey, p256dh, auth }: BrowserKeys): string => {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const keyEnd = 21 + body.readUInt8(20);
  const sender = body.subarray(21, keyEnd);
  const record = body.subarray(keyEnd);
  if (record.length > recordSize) throw new Error("more than one record");
  const browser = createECDH("prime256v1");
  browser.setPrivateKey(Buffer.from(privateKey, "base64url"));
  const shared = browser.computeSecret(sender);
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), Buffer.from(p256dh, "base64url"), sender]);
  const ikm = derive(shared, Buffer.from(auth, "base64url"), keyInfo, 32);
  const key = derive(ikm, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(ikm, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const opening = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([opening.update(record.subarray(0, -16)), opening.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("no last record");
  return padded.subarray(0, end).toString("utf8");
};

/** The claims of a proof of who sends (RFC 8292, 2), and the key that it names. Throws when the signature is not of that key. */
export const readProof = (
  authorization: string,
): { readonly key: string; readonly aud: string; readonly sub: string; readonly exp: number } => {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: base64url(point.subarray(1, 33)),
    y: base64url(point.subarray(33)),
  };
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) throw new Error("the proof has another signature");
  const { aud, sub, exp } = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
  return { key, aud, sub, exp };
};

/** A message as it came. */
export interface PushedMessage {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A browser with a subscription at the service. */
export interface PushedBrowser {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly mark: string;
  /** What it would show, in the order in which it came. */
  readonly shown: () => readonly PushPayload[];
}

/** A push service on a free port of this machine, as far as RFC 8030 says what senders see. */
export interface PushService {
  readonly origin: string;
  readonly messages: PushedMessage[];
  /** How messages are answered from now on; 201 at first. */
  answer: (response: ServerResponse) => void;
  readonly subscribe: () => PushedBrowser;
  readonly close: () => Promise<void>;
}

export const startPushService = async (): Promise<PushService> => {
  const messages: PushedMessage[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    messages.push({ path: request.url ?? "", headers: request.headers, body });
    service.answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let subscriptions = 0;
  const service: PushService = {
    origin,
    messages,
    answer: (response) => response.writeHead(201).end(),
    subscribe: () => {
      subscriptions += 1;
      const path = `/device/${subscriptions}`;
      const browser = createECDH("prime256v1");
      const p256dh = base64url(browser.generateKeys());
      const auth = base64url(createHash("sha256").update(path).digest().subarray(0, 16));
      // One key of 256 begins with a zero byte, which Node leaves out.
      const privateKey = browser.getPrivateKey("hex").padStart(64, "0");
      const keys = { privateKey: base64url(Buffer.from(privateKey, "hex")), p256dh, auth };
      const endpoint = `${origin}${path}`;
      return {
        endpoint,
        p256dh,
        auth,
        mark: createHash("sha256").update(endpoint).digest("base64url"),
        shown: () =>
          messages
            .filter((message) => message.path === path)
            .map(({ body }) => {
              const text = decryptPush(body, keys);
              refuseBystander("a push notification", text);
              return JSON.parse(text) as PushPayload;
            }),
      };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return service;
};
