import * as t from "io-ts";

/** The reasons for which a large provider defers or refuses mail of this server, as far as its answer tells. */
export const deferralReasons = [
  "volume",
  "reputation",
  "complaints",
  "busy",
  "greylisting",
  "reverseName",
  "authentication",
  "tls",
  "listed",
  "other",
] as const;

export type DeferralReason = (typeof deferralReasons)[number];

export const DeferralReason: t.Type<DeferralReason> = t.union([
  t.literal("volume"),
  t.literal("reputation"),
  t.literal("complaints"),
  t.literal("busy"),
  t.literal("greylisting"),
  t.literal("reverseName"),
  t.literal("authentication"),
  t.literal("tls"),
  t.literal("listed"),
  t.literal("other"),
]);

/** The meaning of an answer, and the remedy, in a sentence each. */
export interface DeferralText {
  readonly meaning: string;
  readonly advice: string;
}

/** The sentences for each reason. */
export const deferralTexts: Readonly<Record<DeferralReason, DeferralText>> = {
  volume: {
    meaning: "This server sent more mail than the provider accepts from an address that is new to it.",
    advice: "Nothing to do: mail waits, is sent at half the rate, and the rate doubles each day.",
  },
  reputation: {
    meaning:
      "The provider does not trust the address or the domain of this server enough to accept more mail now.",
    advice:
      "Look for block lists with `bauta doctor --block-lists`, and refuse spam before it is forwarded (RSPAMD_URL).",
  },
  complaints: {
    meaning: "Users marked forwarded mail as spam, or much more mail came than before.",
    advice: "Ask users to switch off masks that attract spam instead of marking their mail as spam.",
  },
  busy: {
    meaning: "The provider's servers are busy, or ask this server to open fewer connections.",
    advice: "Nothing to do: mail waits and is sent again.",
  },
  greylisting: {
    meaning: "The provider accepts mail from an unknown server only at the second attempt.",
    advice: "Nothing to do: the next attempt is accepted.",
  },
  reverseName: {
    meaning: "The address of this server has no reverse name, or one that does not lead back to it.",
    advice:
      "Set the PTR record at your hosting company to the domain of the masks; `bauta doctor` checks it.",
  },
  authentication: {
    meaning: "SPF, DKIM or DMARC of the mail did not pass.",
    advice: "Run `bauta doctor` and create the records that it names.",
  },
  tls: {
    meaning: "The provider accepts mail over TLS only, and the connection had none.",
    advice:
      "Check that nothing between this machine and the Internet removes STARTTLS from connections to port 25.",
  },
  listed: {
    meaning: "The address of this server is on a block list.",
    advice: "Have the address removed: `bauta doctor --block-lists` names the lists and their pages.",
  },
  other: {
    meaning: "The answer gives no known reason.",
    advice: "Look the answer up on the provider's pages for senders.",
  },
};

/** A large provider that takes mail from this server directly. Times are ISO 8601. */
export const ProviderStatus = t.type({
  /** As people know it, such as "Gmail and Google Workspace". */
  name: t.string,
  /** Mails an hour that it is sent at the moment; null without a limit. */
  perHour: t.union([t.number, t.null]),
  /** The time of the next attempt after it asked for a pause; null when it is not paused. */
  pausedUntil: t.union([t.string, t.null]),
  /** The time at which it last took a mail, to the minute; null before. */
  acceptedAt: t.union([t.string, t.null]),
  /** Its last answer against this server, without addresses; null when there was none. */
  answer: t.union([t.type({ text: t.string, reason: DeferralReason, at: t.string }), t.null]),
});
export type ProviderStatus = Readonly<t.TypeOf<typeof ProviderStatus>>;
