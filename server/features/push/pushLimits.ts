import type { PlaceLimits } from "../../platform/outgoing/messages/messagePlaces.ts";

/** Nearly all devices are behind a few push services, so that one host has many places. */
export const allPlaces: PlaceLimits = { total: 64, user: 4, host: 48 };

/** Those of devices whose last request was not answered promptly, or that were sent none lately. */
export const unprovenPlaces: PlaceLimits = { total: 32, user: 2, host: 24 };

/** Strangers' mail causes no more push notifications of a user in an hour, by one process: in all, and of one network. */
export const pushesPerHour = { most: 60, ofNetwork: 20 } as const;

/** The days for which the buttons of a notification work. */
export const pushActionDays = 7;

/**
 * The bytes of every payload before its encryption. Push services take 4,096 bytes after it (RFC 8291), some of them in base64.
 */
export const payloadBytes = 2_048;

/** The most characters of the title and of the text, so that a payload with two buttons has room for them in any script. */
export const maxTitle = 80;
export const maxBody = 300;
