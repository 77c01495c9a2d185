import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { Mask, MaskEdit, MaskId, NewMask } from "./mask.ts";
import type { MaskStatistics } from "./maskStatistics.ts";

/** Where one user's masks live (MA7). */
export interface MaskGateway {
  readonly list: () => TaskEither<Failure, readonly Mask[]>;
  /** `quietly`: nobody has asked for it, and nobody is told when it cannot be had. */
  readonly read: (id: MaskId, how?: "quietly") => TaskEither<Failure, Mask>;
  readonly create: (mask: NewMask) => TaskEither<Failure, Mask>;
  /** What is left out of the edit stays as it is. */
  readonly edit: (id: MaskId, edit: MaskEdit) => TaskEither<Failure, Mask>;
  readonly remove: (id: MaskId) => TaskEither<Failure, void>;
  readonly statistics: (id: MaskId) => TaskEither<Failure, MaskStatistics>;
}
