/** What a button of a push notification does. */
export type PushAction = "allow" | "switch-off" | "switch-on";

/** A button of a push notification; its token is what the server takes for the act. */
export interface PushButton {
  readonly action: PushAction;
  readonly title: string;
  readonly token: string;
}

/** What the server sends to a device, as JSON, encrypted to it (RFC 8291). */
export interface PushPayload {
  readonly title: string;
  readonly body: string;
  /** Notifications with the same one replace each other. */
  readonly tag: string;
  /** The place in the app that it opens: the part of the address behind `#`. */
  readonly place: string;
  /** The number of held mails, for the badge of the app. */
  readonly held: number;
  readonly buttons: readonly PushButton[];
}
