import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import type { TakenMail } from "./front.ts";
import { maskDomain } from "./listener.ts";

/** The npm package smtp-server with the extensions and limits of `Front`, to compare both. */
export interface ReferenceFront {
  readonly port: number;
  readonly mails: Omit<TakenMail, "envelope">[];
  readonly close: () => Promise<void>;
}

export const startReferenceFront = async (refused: (address: string) => boolean): Promise<ReferenceFront> => {
  const mails: Omit<TakenMail, "envelope">[] = [];
  const server = new SMTPServer({
    name: maskDomain,
    heloResponse: "%s",
    disabledCommands: ["AUTH", "HELP", "WIZ", "SHELL", "KILL", "STARTTLS"],
    hideENHANCEDSTATUSCODES: false,
    disableReverseLookup: true,
    lenientAddressParsing: true,
    logger: false,
    size: 25 * 1024 * 1024,
    rejectOversized: true,
    maxRecipients: 100,
    maxCommandLength: 4_096,
    onRcptTo: ({ address }, _session, answer) =>
      answer(refused(address) ? Object.assign(new Error("5.1.1 no"), { responseCode: 550 }) : null),
    onData: (stream, { envelope }, answer) => {
      buffer(stream).then((content) => {
        const recipients = envelope.rcptTo.map(({ address }) => address);
        mails.push({ recipients, content: content.toString("latin1") });
        answer(null, "Queued");
      }, answer);
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    mails,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of server.connections) connection.close();
      }),
  };
};
