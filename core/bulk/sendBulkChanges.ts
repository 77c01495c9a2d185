import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import type { Call } from "../api/call.ts";
import { problemOf } from "../api/errorMessages.ts";
import type { Failure } from "../kernel/failure.ts";
import { chainResult, mapResult } from "../kernel/task.ts";
import { type BulkResult, maxBulkIds, postBulkChange } from "./bulkChange.ts";
import type { BulkStep } from "./undoChange.ts";

const toProblem = problemOf({ page: "Failed to change the masks" });

/** The status of a mask whose part of the change was not answered. */
const unanswered = 0;

/** Is called with the number of masks of each part that has its results. */
type OnPart = (count: number) => void;

type Results = T.Task<readonly BulkResult[]>;

const sendPart = (call: Call, { ids, change }: BulkStep): Results =>
  pipe(
    call(postBulkChange)({ body: { ids, change } }),
    mapResult(
      E.match(
        (failure: Failure) =>
          ids.map((id) => ({ id, status: unanswered, message: toProblem(failure).message })),
        ({ results }): readonly BulkResult[] => results,
      ),
    ),
  );

/** Sends a change in parts, one after the other; one without an answer ends it for the masks that follow. */
const sendInParts = (call: Call, { ids, change }: BulkStep, onPart: OnPart): Results =>
  ids.length === 0
    ? T.of([])
    : pipe(
        sendPart(call, { ids: ids.slice(0, maxBulkIds), change }),
        chainResult((results) => {
          const rest = ids.slice(maxBulkIds);
          onPart(results.length);
          const [first] = results;
          if (first?.status === unanswered)
            return T.of([...results, ...rest.map((id) => ({ ...first, id }))]);
          return pipe(
            sendInParts(call, { ids: rest, change }, onPart),
            mapResult((others) => [...results, ...others]),
          );
        }),
      );

/** Sends changes of masks one after the other, and returns the result of each mask. */
export const sendBulkChanges = (call: Call, steps: readonly BulkStep[], onPart: OnPart): Results => {
  const [first, ...rest] = steps;
  return first === undefined
    ? T.of([])
    : pipe(
        sendInParts(call, first, onPart),
        chainResult((results) =>
          pipe(
            sendBulkChanges(call, rest, onPart),
            mapResult((others) => [...results, ...others]),
          ),
        ),
      );
};
