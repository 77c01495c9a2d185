import type { Clock } from "../../../core/ports/clock.ts";
import { toSevenBit, withSevenBitHeader } from "../../mime/sevenBit.ts";
import type { SigningKey } from "../../proof/dkimKeys.ts";
import { createSignMail } from "../../proof/signMail.ts";
import { createDirectTransport } from "../direct/directTransport.ts";
import type { TlsSession } from "../direct/tlsSessions.ts";
import { createNextHopTransport } from "../nextHopTransport.ts";
import { toBuffer } from "../outgoingCopy.ts";
import { feedbackAddress, isForwardedMail } from "../serviceAddresses.ts";
import { createSigningTransport, type OnSigningFailed, prepend } from "../signingTransport.ts";
import { refusedHere } from "../smtpAnswer.ts";
import type { Transport } from "../transport.ts";
import type { SendingOptions } from "./sendingMessages.ts";

const notWritable = refusedHere(
  "554 5.6.3 The next server takes no mail of 8 bits, and this one cannot be changed",
);

/**
 * Creates a transport that writes a mail in 7 bits where the server takes no other, and sends it again; `transport` signs
 * what it is given. A mail that cannot be changed, because its parts are signed or encrypted, is refused.
 */
const createSevenBitTransport = (transport: Transport): Transport => ({
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

/** Returns the fields by which a provider reports complaints about a mail (RFC 9477). */
const feedbackFields = (maskDomain: string, id: string): Buffer =>
  Buffer.from(
    `CFBL-Address: ${feedbackAddress(maskDomain)}; report=arf\r\nCFBL-Feedback-ID: ${Buffer.from(id, "latin1").toString("hex")}\r\n`,
    "latin1",
  );

/** Creates a transport that says in forwarded mail where its recipient's provider reports complaints, before it is signed. */
const createFeedbackTransport = (transport: Transport, maskDomain: string): Transport => ({
  send: (mail) => {
    if (!isForwardedMail(mail)) return transport.send(mail);
    const fields = feedbackFields(maskDomain, mail.id);
    return transport.send({
      ...mail,
      size: fields.length + mail.size,
      chunks: () => prepend(fields, mail.chunks()),
    });
  },
  abort: transport.abort,
});

export interface SendingTransportDeps {
  readonly options: SendingOptions;
  readonly activeKeys: () => Promise<readonly SigningKey[]>;
  readonly clock: Pick<Clock, "now">;
  readonly onSigningFailed: OnSigningFailed;
  /** Called for each connection to the mail server of a recipient. */
  readonly onSession: (session: TlsSession) => void;
}

/** Creates the transport that signs mail, and sends it to the next hop or along its route. */
export const createSendingTransport = ({
  options: { nextHop, name, connections, sources, signs, tellsTls },
  activeKeys,
  clock,
  onSigningFailed,
  onSession,
}: SendingTransportDeps): Transport => {
  const sending = nextHop
    ? createNextHopTransport(nextHop, name, connections)
    : createDirectTransport({ name, connections, sources, tellsTls }, onSession);
  if (!signs) return createSevenBitTransport(sending);
  const signMail = createSignMail({ domain: name, activeKeys, clock });
  const signing = createSigningTransport(sending, signMail, onSigningFailed);
  // Without a signature providers do not believe the fields, and a next hop has feedback loops of its own.
  return createSevenBitTransport(nextHop ? signing : createFeedbackTransport(signing, name));
};
