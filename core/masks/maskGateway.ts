import { pipe } from "fp-ts/lib/function.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Mask, MaskEdit, MaskId, NewMask } from "./mask.ts";
import * as endpoints from "./maskEndpoints.ts";
import type { MaskStatistics } from "./maskStatistics.ts";

/** Reads and writes the masks of one user (MA7). */
export interface MaskGateway {
  readonly list: () => TaskEither<Failure, readonly Mask[]>;
  /** With `quietly`, a failure shows no toast, because no user action caused the request. */
  readonly read: (id: MaskId, how?: "quietly") => TaskEither<Failure, Mask>;
  readonly create: (mask: NewMask) => TaskEither<Failure, Mask>;
  /** Fields that are left out of the edit stay as they are. */
  readonly edit: (id: MaskId, edit: MaskEdit) => TaskEither<Failure, Mask>;
  readonly remove: (id: MaskId) => TaskEither<Failure, void>;
  readonly statistics: (id: MaskId) => TaskEither<Failure, MaskStatistics>;
}

/** Implements the gateway with HTTP requests to the server. */
export const createMaskGateway = (call: Call): MaskGateway => ({
  list: () =>
    pipe(
      call(endpoints.listMasks)(),
      TE.map(({ masks }) => masks),
    ),
  read: (id, how) => call(endpoints.getMask)({ params: { id }, ...(how && { silent: true }) }),
  create: (body) => call(endpoints.postMask)({ body }),
  edit: (id, body) => call(endpoints.putMask)({ params: { id }, body }),
  remove: (id) => call(endpoints.deleteMask)({ params: { id } }),
  statistics: (id) => call(endpoints.getMaskStatistics)({ params: { id } }),
});
