import type { Transport } from "../delivery/transport.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import type { SignMail } from "./signMail.ts";

/** Creates a transport that signs each mail right before it is sent, so that a retry is signed with the present keys. */
export const createSigningTransport = (transport: Transport, signMail: SignMail, log: Log): Transport => ({
  send: async (mail) => {
    const fields = await signMail(mail.content).catch((error: unknown) => {
      log.error({ error: errorTrace(error) }, "signing a mail failed; it is sent without a signature");
      return "";
    });
    const content = Buffer.concat([Buffer.from(fields, "latin1"), mail.content]);
    return transport.send({ ...mail, content });
  },
  abort: transport.abort,
});
