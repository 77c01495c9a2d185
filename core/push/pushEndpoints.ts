import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { refined, requiredText } from "../api/textCodecs.ts";
import { PushKind } from "./pushKind.ts";
import { QuietHours } from "./quietHours.ts";

/** The most devices of an account that get push notifications. */
export const maxPushDevices = 20;

/** The most masks that a device is told of. */
export const maxPushMasks = 100;

const maxEndpoint = 1_000;

const Kinds = refined(
  t.readonlyArray(PushKind),
  (kinds) => new Set(kinds).size === kinds.length,
  "Choose each kind once",
);

const Masks = refined(
  t.readonlyArray(t.string),
  (masks) => masks.length <= maxPushMasks,
  `Choose at most ${maxPushMasks} masks`,
);

const Choices = {
  kinds: Kinds,
  /** The ids of the masks that the kind `masks` is about. */
  masks: Masks,
  /** null for none. */
  quietHours: t.union([QuietHours, t.null]),
  /** True if notifications about mail name its sender and its subject. */
  showsSender: t.boolean,
};

/** A device that gets push notifications. Dates are ISO 8601. */
export const PushDevice = t.type({
  id: t.string,
  /** The hash of the subscription's endpoint (SHA-256 in base64url), by which a browser knows its own. */
  mark: t.string,
  /** The User-Agent header with which it was added; may be empty. */
  userAgent: t.string,
  created: t.string,
  /** null before the first notification. */
  lastSent: t.union([t.string, t.null]),
  ...Choices,
});
export type PushDevice = t.TypeOf<typeof PushDevice>;

const keyOf = (bytes: number) =>
  refined(
    t.string,
    (text) => new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`).test(text),
    "This is no key of a push subscription",
  );

/** A subscription as browsers make it (`PushSubscription`). */
const Subscription = {
  endpoint: refined(
    refined(
      requiredText("The endpoint is required"),
      (url) => /^https?:\/\/[^\s/?#\\]+[^\s]*$/i.test(url),
      "The endpoint must begin with https://",
    ),
    (url) => url.length <= maxEndpoint,
    `The endpoint must be ${maxEndpoint} characters or less`,
  ),
  /** The public key of the device, a point of P-256 in base64url. */
  p256dh: keyOf(65),
  /** The shared secret of the device, 16 bytes in base64url. */
  auth: keyOf(16),
};

/** A subscription, and what is to be sent to it. */
export const NewPushDevice = t.type({ ...Subscription, ...Choices });
export type NewPushDevice = t.TypeOf<typeof NewPushDevice>;

/** The changes of a device; what is absent stays. */
export const PushDeviceEdit = t.partial(Choices);
export type PushDeviceEdit = t.TypeOf<typeof PushDeviceEdit>;

const params = t.type({ id: t.string });

/** Lists the devices of the caller, newest first, and the public key of the server (RFC 8292) that subscriptions are made for. */
export const listPushDevices = endpoint("GET", "/account/push", {
  answer: t.type({ key: t.string, devices: t.readonlyArray(PushDevice) }),
});

/** Adds a device, or replaces the one with the same endpoint, of whichever account; 409 beyond 20. */
export const postPushDevice = endpoint("POST", "/account/push", {
  status: 201,
  needsRecentProof: true,
  body: NewPushDevice,
  answer: PushDevice,
});

/**
 * Changes what is sent to a device; to show senders needs a recent proof. 404 when the caller has none with this id.
 */
export const patchPushDevice = endpoint("PATCH", "/account/push/:id", {
  params,
  body: PushDeviceEdit,
  answer: PushDevice,
});

/** Removes a device and what waits for it; 404 when the caller has none with this id. */
export const deletePushDevice = endpoint("DELETE", "/account/push/:id", { params });

/** Sends a notification that says that it is a test, in quiet hours too; 404 when the caller has none with this id. */
export const postPushTest = endpoint("POST", "/account/push/:id/test", { params });

/**
 * Says that the device with this mark is the one of this session, with which it ends; 404 when the caller has none with this
 * mark, so that its browser ends the subscription.
 */
export const putPushDeviceHere = endpoint("PUT", "/account/push/here", { body: t.type({ mark: t.string }) });

/** A subscription in place of a former one of the same browser. */
const RenewedSubscription = t.type({
  ...Subscription,
  former: t.type({ endpoint: Subscription.endpoint, auth: Subscription.auth }),
});
export type RenewedSubscription = t.TypeOf<typeof RenewedSubscription>;

/**
 * Puts the subscription that a browser has made anew in the place of its former one, for the secret of that one alone, which no
 * push service knows: no session is needed. 404 when no device has it.
 */
export const putPushSubscription = endpoint("PUT", "/push/subscription", {
  authentication: "none",
  body: RenewedSubscription,
});

/**
 * Does what a button of a notification offers, for its token alone: no session is needed. Answers with a sentence, and the button
 * that takes it back. 404 when the token is too old or the device was removed, 409 when it is not possible.
 */
export const postPushAction = endpoint("POST", "/push/action", {
  authentication: "none",
  body: t.type({ token: t.string }),
  answer: t.type({
    text: t.string,
    undo: t.union([t.type({ title: t.string, token: t.string }), t.null]),
  }),
});
