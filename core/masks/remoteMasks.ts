import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../requests/call.ts";
import * as endpoints from "./maskEndpoints.ts";
import type { MaskGateway } from "./maskGateway.ts";

/** Masks that live on the server. */
export const makeRemoteMasks = (call: Call): MaskGateway => ({
  list: () =>
    pipe(
      call(endpoints.listMasks)(),
      TE.map(({ masks }) => masks),
    ),
  read: (id, how) => call(endpoints.getMask)({ params: { id }, ...(how && { quiet: true }) }),
  create: (body) => call(endpoints.postMask)({ body }),
  edit: (id, body) => call(endpoints.putMask)({ params: { id }, body }),
  remove: (id) => call(endpoints.deleteMask)({ params: { id } }),
  statistics: (id) => call(endpoints.getMaskStatistics)({ params: { id } }),
});
