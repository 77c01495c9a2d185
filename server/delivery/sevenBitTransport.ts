import { toSevenBit, withSevenBitHeader } from "../mime/sevenBit.ts";
import { toBuffer } from "./outgoingCopy.ts";
import { refusedHere } from "./smtpAnswer.ts";
import type { Transport } from "./transport.ts";

const notWritable = refusedHere(
  "554 5.6.3 The next server takes no mail of 8 bits, and this one cannot be changed",
);

/**
 * Creates a transport that writes a mail in 7 bits where the server takes no other, and sends it again; `transport` signs
 * what it is given. A mail that cannot be changed, because its parts are signed or encrypted, is refused.
 */
export const createSevenBitTransport = (transport: Transport): Transport => ({
  send: async (mail) => {
    const outcome = await transport.send(mail);
    const needs = outcome.kind === "permanent" ? outcome.needsSevenBit : undefined;
    if (needs === undefined) return outcome;
    const content = await toBuffer(mail.chunks());
    const changed = needs === "all" ? toSevenBit(content) : withSevenBitHeader(content);
    if (changed === null) return notWritable;
    return transport.send({ ...mail, size: changed.length, chunks: () => [changed] });
  },
  abort: transport.abort,
});
