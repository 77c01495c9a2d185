import type { Clock } from "../../../core/ports/clock.ts";
import type { SigningKey } from "../../proof/dkimKeys.ts";
import { createSignMail } from "../../proof/signMail.ts";
import { createDirectTransport } from "../direct/directTransport.ts";
import type { TlsSession } from "../direct/tlsSessions.ts";
import { createFeedbackTransport } from "../feedbackTransport.ts";
import { createNextHopTransport } from "../nextHopTransport.ts";
import { createSevenBitTransport } from "../sevenBitTransport.ts";
import { createSigningTransport, type OnSigningFailed } from "../signingTransport.ts";
import type { Transport } from "../transport.ts";
import type { SendingOptions } from "./sendingMessages.ts";

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
