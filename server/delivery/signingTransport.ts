import type { SignMail } from "../proof/signMail.ts";
import type { Transport } from "./transport.ts";

async function* prependAsync(first: Buffer, chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield first;
  yield* chunks;
}

/** Returns the chunks of a mail with other bytes before them. */
export const prepend = (
  first: Buffer,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
): Iterable<Buffer> | AsyncIterable<Buffer> =>
  Symbol.asyncIterator in chunks ? prependAsync(first, chunks) : [first, ...chunks];

/** Called when a mail cannot be signed; it is sent without a signature. */
export type OnSigningFailed = (error: unknown) => void;

/** Creates a transport that signs each mail right before it is sent, so that a retry uses the current keys. */
export const createSigningTransport = (
  transport: Transport,
  signMail: SignMail,
  onFailed: OnSigningFailed,
): Transport => ({
  send: async (mail) => {
    const fields = await signMail(mail.chunks(), mail.userId).catch((error: unknown) => {
      onFailed(error);
      return "";
    });
    const first = Buffer.from(fields, "latin1");
    return transport.send({
      ...mail,
      size: first.length + mail.size,
      chunks: () => prepend(first, mail.chunks()),
    });
  },
  abort: transport.abort,
});
