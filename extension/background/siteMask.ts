import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { withBearer } from "../../core/api/basicMiddleware.ts";
import { type Call, createCall } from "../../core/api/call.ts";
import { problemOf } from "../../core/api/errorMessages.ts";
import { createPlainPipeline } from "../../core/api/requestPipeline.ts";
import type { Failure } from "../../core/kernel/failure.ts";
import { listMadeFor } from "../../core/masks/madeFor.ts";
import { isActive, type Mask, maxDescriptionLength } from "../../core/masks/mask.ts";
import { listMasks, postMask } from "../../core/masks/maskEndpoints.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { type Connection, storedConnection } from "../connection/connection.ts";
import { timeoutMs } from "../connection/connectTo.ts";

/** What a content script gets for a field: an address, and a sentence about it. */
export interface MaskAnswer {
  readonly address?: string;
  readonly sentence: string;
}

const notConnected: MaskAnswer = {
  sentence: "This browser is not connected. Press Bauta’s button in the toolbar.",
};

const ownServer: MaskAnswer = {
  sentence: "This is your Bauta server. Log in with your own address.",
};

/** Calls the server of a connection. */
export const callOf = (ports: Ports, { server, token }: Connection): Call =>
  createCall(
    withBearer(() => token)(
      createPlainPipeline(ports.http, ports.random, { baseAddress: server, timeoutMs, clock: ports.clock }),
    ),
  );

/** The part of a host name that all parts of its site end with; more sites may. */
const endOf = (host: string): string => host.split(".").slice(-2).join(".");

/** Lists the masks that were made for the site of a host name. */
export const listSiteMasks = (call: Call, host: string): TE.TaskEither<Failure, readonly Mask[]> =>
  pipe(
    call(listMasks)({ params: { q: `site:${endOf(host)}` } }),
    TE.map(({ masks }) => listMadeFor(masks, host)),
  );

const toProblem = problemOf({
  page: "The mask could not be created",
  unanswered: "The server cannot be reached. Check the network and try again.",
});

const sentenceOf = (failure: Failure): string =>
  failure.kind === "refused" && failure.status === 401
    ? "The server refuses the token of this browser. Connect it again."
    : toProblem(failure).message;

const knownMask = (mask: Mask): MaskAnswer => ({
  address: mask.maskEmail,
  sentence: isActive(mask)
    ? "This is your mask for this site."
    : "This is your mask for this site. It is switched off.",
});

const newMask = ({ maskEmail, forwardTo, destinationStatus }: Mask): MaskAnswer => ({
  address: maskEmail,
  sentence:
    destinationStatus === "awaiting-confirmation"
      ? `A new mask for this site. It forwards once ${forwardTo} is confirmed.`
      : "A new mask for this site.",
});

const findOrCreate = (call: Call, host: string): TE.TaskEither<Failure, MaskAnswer> =>
  pipe(
    listSiteMasks(call, host),
    TE.chain((masks) => {
      const known = masks.find(isActive) ?? masks[0];
      const body = { description: host.slice(0, maxDescriptionLength), madeFor: host };
      return known === undefined
        ? pipe(call(postMask)({ body }), TE.map(newMask))
        : TE.right(knownMask(known));
    }),
  );

/** The requests under way, by server and site: two presses make one mask. */
const underWay = new Map<string, Promise<MaskAnswer>>();

/** Returns the mask that the site of a page has, or creates one; none on the pages of the server itself. */
export const maskForSite = async (ports: Ports, host: string, origin: string): Promise<MaskAnswer> => {
  const connection = storedConnection(ports.storage).read();
  if (connection === null) return notConnected;
  if (URL.parse(connection.server)?.origin === origin) return ownServer;
  const key = `${connection.tokenId} ${host}`;
  const running = underWay.get(key);
  if (running !== undefined) return running;
  const answer = findOrCreate(callOf(ports, connection), host)().then(
    E.getOrElse((failure: Failure): MaskAnswer => ({ sentence: sentenceOf(failure) })),
  );
  underWay.set(key, answer);
  return answer.finally(() => underWay.delete(key));
};
