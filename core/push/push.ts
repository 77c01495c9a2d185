import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps } from "../kernel/collection.ts";
import { isRefused } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";
import {
  deletePushDevice,
  listPushDevices,
  type NewPushDevice,
  type PushDevice,
  type PushDeviceEdit,
  patchPushDevice,
  postPushDevice,
  postPushTest,
  putPushDeviceHere,
} from "./pushEndpoints.ts";

/** The devices of a user that get push notifications. */
export interface PushView {
  /** The public key of the server, which a browser subscribes for. */
  readonly key: string;
  /** Newest first. */
  readonly devices: readonly PushDevice[];
}

/** Notifications on the user's devices, also while the app is closed. */
export interface Push {
  /** null until it is loaded. */
  readonly view$: State<PushView | null>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Adds the subscription of this browser. */
  readonly add: (device: NewPushDevice) => TE.TaskEither<Problem, void>;
  readonly edit: (id: string, edit: PushDeviceEdit) => TE.TaskEither<Problem, void>;
  /** Removes a device with a toast; succeeds when it is removed already. */
  readonly remove: (id: string) => TE.TaskEither<Problem, void>;
  /** Sends a test, with a toast. */
  readonly test: (id: string) => TE.TaskEither<Problem, void>;
  /** Says that a device is the one of this session; false when the server answers that the account has no such device. */
  readonly claim: (mark: string) => Task<boolean>;
}

export interface PushDeps extends CollectionDeps {
  readonly call: Call;
}

const toProblem = problemOf({ page: "Failed to load your devices" });
const toAddProblem = problemOf({ page: "Failed to switch notifications on" });
const toEditProblem = problemOf({ page: "Failed to save the notifications" });
const toRemoveProblem = problemOf({ page: "Failed to remove the device" });
const toTestProblem = problemOf({ page: "Failed to send a test" });

export const createPush = (deps: PushDeps): Push & { readonly start: () => Subscription } => {
  const { call, toast } = deps;
  const devices = new Collection({ ...deps, fetch: call(listPushDevices)(), items: "devices", toProblem });
  return {
    view$: devices.answer$,
    refresh: devices.refresh,
    add: (body) =>
      pipe(
        devices.request(toAddProblem, call(postPushDevice)({ body }), (added) =>
          devices.updateList((list) => [added, ...list.filter(({ mark }) => mark !== added.mark)]),
        ),
        TE.map(() => toast("success", "Notifications switched on")),
      ),
    edit: (id, body) => devices.edit(toEditProblem, call(patchPushDevice)({ params: { id }, body })),
    remove: (id) =>
      devices.remove(id, toRemoveProblem, call(deletePushDevice)({ params: { id } }), "Device removed"),
    test: (id) =>
      pipe(
        devices.request(toTestProblem, call(postPushTest)({ params: { id } })),
        TE.map(() => toast("success", "A test is on its way")),
      ),
    claim: (mark) =>
      pipe(
        call(putPushDeviceHere)({ body: { mark } }),
        TE.match(
          (failure) => !isRefused(failure, 404),
          () => true,
        ),
      ),
    start: devices.start,
  };
};
