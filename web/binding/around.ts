import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Problem } from "../../core/sentences/problem.ts";

/** What is done before and after a use case, whatever it answers. */
export type Around = <A>(doing: TaskEither<Problem, A>) => TaskEither<Problem, A>;

/** Nothing is. */
export const plainly: Around = (doing) => doing;
