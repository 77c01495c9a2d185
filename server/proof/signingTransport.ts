import type { Transport } from "../delivery/transport.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import type { SignMail } from "./signMail.ts";

async function* prependAsync(first: Buffer, chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield first;
  yield* chunks;
}

const prepend = (
  first: Buffer,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
): Iterable<Buffer> | AsyncIterable<Buffer> =>
  Symbol.asyncIterator in chunks ? prependAsync(first, chunks) : [first, ...chunks];

/** Creates a transport that signs each mail right before it is sent, so that a retry uses the current keys. */
export const createSigningTransport = (transport: Transport, signMail: SignMail, log: Log): Transport => ({
  send: async (mail) => {
    const fields = await signMail(mail.chunks()).catch((error: unknown) => {
      log.error({ error: errorTrace(error) }, "signing a mail failed; it is sent without a signature");
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
