import { feedbackAddress, isForwardedMail } from "./serviceAddresses.ts";
import { prepend } from "./signingTransport.ts";
import type { Transport } from "./transport.ts";

/** Returns the fields by which a provider reports complaints about a mail (RFC 9477). */
const feedbackFields = (maskDomain: string, id: string): Buffer =>
  Buffer.from(
    `CFBL-Address: ${feedbackAddress(maskDomain)}; report=arf\r\nCFBL-Feedback-ID: ${Buffer.from(id, "latin1").toString("hex")}\r\n`,
    "latin1",
  );

/** Creates a transport that says in forwarded mail where its recipient's provider reports complaints, before it is signed. */
export const createFeedbackTransport = (transport: Transport, maskDomain: string): Transport => ({
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
