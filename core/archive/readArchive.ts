import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { MaskId } from "../masks/mask.ts";
import type { Call } from "../requests/call.ts";
import type { ArchivePage } from "./archivedMail.ts";
import { listArchive } from "./archiveEndpoints.ts";

/** `known` with the page that follows it; what has come into both meanwhile stands once. */
const followedBy = (known: ArchivePage, next: ArchivePage): ArchivePage => {
  const ids = new Set(known.mails.map(({ id }) => id));
  return { ...next, mails: [...known.mails, ...next.mails.filter(({ id }) => !ids.has(id))] };
};

/** The newest mails of a mask's archive, so many pages of them as one. */
export const readArchive = (
  call: Call,
  maskId: MaskId,
  pages: number,
): TE.TaskEither<Failure, ArchivePage> => {
  const ask = call(listArchive);
  const goOn = (page: ArchivePage, left: number): TE.TaskEither<Failure, ArchivePage> => {
    const before = page.mails.at(-1)?.id;
    if (left === 0 || !page.more || before === undefined) return TE.right(page);
    return pipe(
      ask({ params: { maskId, before } }),
      TE.chain((next) => goOn(followedBy(page, next), left - 1)),
    );
  };
  return pipe(
    ask({ params: { maskId } }),
    TE.chain((newest) => goOn(newest, pages - 1)),
  );
};
