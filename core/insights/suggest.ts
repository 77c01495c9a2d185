import { dayMs } from "../kernel/durations.ts";
import type { Suggestion } from "./suggestion.ts";

/** The recent mail of one mask, as the input for suggestions. */
export interface MaskSummary {
  readonly id: string;
  readonly description: string;
  readonly forwardTo: string;
  readonly active: boolean;
  readonly spamFilter: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The time of the last mail in milliseconds since 1970; null when no mail ever arrived. */
  readonly lastMailAt: number | null;
  readonly received: number;
  /** The number of promotions and newsletters among `received`; 0 while content access is off. */
  readonly promotions: number;
  /** The number of mails that were authenticated: all with the spam filter on, a sample with it off. */
  readonly checked: number;
  /** The number of mails among `checked` that failed DMARC. */
  readonly dmarcFailed: number;
  /** True if a rule of the mask already uses the promotion category. */
  readonly hasPromotionRule: boolean;
  /** The senders by registrable domain, the one with the most mails first: subdomains of one owner count once. */
  readonly senders: readonly { readonly domain: string; readonly received: number }[];
}

/** The facts about an account that suggestions are computed from. */
export interface SuggestionInput {
  readonly twoFactor: boolean;
  readonly hasKey: boolean;
  /** The first day that the counts include, such as "2026-09-01". */
  readonly since: string;
  readonly masks: readonly MaskSummary[];
}

/** Fewer mails are too few to calculate a share. */
const minMails = 10;
const minPromotionShare = 0.6;
/**
 * A sender that writes to this many masks may have got leaked addresses, because each is usually given to one party
 * only.
 */
const minMasksOfLeak = 3;
const idleAfterMs = 90 * dayMs;
const minForgedMails = 5;
const minForgedShare = 0.2;
const minBusySenders = 5;
const minMailsOfBusySender = 3;
const maxNamedSenders = 5;
const maxPerKind = 3;

type Proposal = Omit<Suggestion, "status" | "applied">;

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
const aboutMask = ({ id, description }: MaskSummary): Pick<Proposal, "maskId" | "maskName"> => ({
  maskId: id,
  maskName: description,
});

const promotionProposal = (mask: MaskSummary, since: string): Proposal | null =>
  mask.active &&
  !mask.hasPromotionRule &&
  mask.received >= minMails &&
  mask.promotions >= minPromotionShare * mask.received
    ? {
        ...aboutMask(mask),
        actionKey: `promotions:${mask.id}`,
        title: `“${mask.description}” gets mostly promotions`,
        description: `${mask.promotions} of its ${mask.received} emails since ${since} (${percent(mask.promotions, mask.received)}) were promotions or newsletters. A rule can archive them.`,
        type: "filter",
        category: "promotional",
        action: "createFilterRule",
        actionText: "Create rule",
        rule: {
          name: "Archive promotions",
          type: "categorization",
          conditions: [{ field: "category", operator: "in_list", value: ["promotional", "newsletter"] }],
          actions: [{ type: "archive", params: { markAsRead: true } }],
        },
      }
    : null;

const idleProposal = (mask: MaskSummary, now: number): Proposal | null => {
  const last = mask.lastMailAt ?? mask.createdAt;
  return mask.active && now - last >= idleAfterMs
    ? {
        ...aboutMask(mask),
        actionKey: `idle:${mask.id}`,
        title: `No mail to “${mask.description}” for ${Math.floor((now - last) / dayMs)} days`,
        description:
          "If you no longer need it, switch it off: its mail is refused, and you can switch it on again at any time.",
        type: "efficiency",
        category: "other",
        action: "switchOff",
        actionText: "Switch off",
      }
    : null;
};

const forgedProposal = (mask: MaskSummary, since: string): Proposal | null =>
  mask.active &&
  !mask.spamFilter &&
  mask.dmarcFailed >= minForgedMails &&
  mask.dmarcFailed >= minForgedShare * mask.checked
    ? {
        ...aboutMask(mask),
        actionKey: `forged:${mask.id}`,
        title: `Forged mail comes to “${mask.description}”`,
        description: `Of ${mask.checked} emails that were checked since ${since}, ${mask.dmarcFailed} did not come from the sender they name (DMARC failed). The spam filter stops such mail.`,
        type: "security",
        category: "other",
        action: "turnOnSpamProtection",
        actionText: "Switch on spam filter",
      }
    : null;

const splitProposal = (mask: MaskSummary): Proposal | null => {
  const busy = mask.senders.filter(({ received }) => received >= minMailsOfBusySender);
  const [, second] = busy;
  return mask.active && busy.length >= minBusySenders && second
    ? {
        ...aboutMask(mask),
        actionKey: `split:${mask.id}`,
        title: `${busy.length} domains write to “${mask.description}”`,
        description: `${busy
          .slice(0, maxNamedSenders)
          .map(({ domain }) => domain)
          .join(
            ", ",
          )}${busy.length > maxNamedSenders ? " and others" : ""}. With a mask of its own for ${second.domain}, you can switch off that one alone.`,
        type: "efficiency",
        category: "other",
        action: "createMask",
        actionText: "Create mask",
        maskName: second.domain,
        forwardTo: mask.forwardTo,
      }
    : null;
};

const masksBySender = (masks: readonly MaskSummary[]): ReadonlyMap<string, readonly MaskSummary[]> => {
  const bySender = new Map<string, MaskSummary[]>();
  for (const mask of masks)
    for (const { domain } of mask.senders) bySender.set(domain, [...(bySender.get(domain) ?? []), mask]);
  return bySender;
};

/** Suggests to block senders that write to many masks; the text claims nothing about how they got the addresses. */
const leakProposals = ({ masks }: SuggestionInput): readonly Proposal[] =>
  [...masksBySender(masks)]
    .filter(([, reached]) => reached.length >= minMasksOfLeak)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .flatMap(([domain, reached]) => {
      const [first] = reached;
      return first
        ? [
            {
              ...aboutMask(first),
              actionKey: `leak:${domain}`,
              title: `${domain} writes to ${reached.length} of your masks`,
              description: `It has written to ${reached.map(({ description }) => `“${description}”`).join(", ")}. If you did not give it all of these addresses, a rule can block it.`,
              type: "security" as const,
              category: "promotional",
              action: "createBlockRule",
              actionText: "Block sender",
              rule: {
                name: `Block ${domain}`,
                type: "domain_filter",
                conditions: [{ field: "sender", operator: "ends_with", value: domain }],
                actions: [{ type: "block", params: { silentBlock: false } }],
              },
            },
          ]
        : [];
    });

const accountProposals = ({ twoFactor, hasKey, masks }: SuggestionInput): readonly Proposal[] => [
  ...(twoFactor
    ? []
    : [
        {
          actionKey: "two-factor",
          title: "Your mailbox alone protects your account",
          description:
            "With two-factor authentication, somebody who can read your mail still cannot log in as you.",
          type: "security" as const,
          category: "important",
          action: "setUpTwoFactor",
          actionText: "Set up 2FA",
        },
      ]),
  ...(hasKey || masks.length === 0
    ? []
    : [
        {
          actionKey: "encryption",
          title: "Your forwarded mail is not encrypted",
          description: "With a key on your device, only you can read the mail that leaves this server.",
          type: "security" as const,
          category: "important",
          action: "setUpEncryption",
          actionText: "Set up encryption",
        },
      ]),
];

const firstOfKind = (proposals: readonly (Proposal | null)[]): readonly Proposal[] =>
  proposals.filter((one): one is Proposal => one !== null).slice(0, maxPerKind);

/**
 * Computes the suggestions for an account from facts alone; each text names its facts. There are at most
 * three of a kind, the most important kinds first. A suggestion keeps its `actionKey` as long as its cause
 * exists.
 */
export const suggest = (input: SuggestionInput, now: number): readonly Proposal[] => {
  const { masks, since } = input;
  const byMail = masks.toSorted((one, other) => other.received - one.received);
  return [
    ...accountProposals(input),
    ...firstOfKind(leakProposals(input)),
    ...firstOfKind(byMail.map((mask) => forgedProposal(mask, since))),
    ...firstOfKind(byMail.map((mask) => promotionProposal(mask, since))),
    ...firstOfKind(byMail.map((mask) => splitProposal(mask))),
    ...firstOfKind(masks.map((mask) => idleProposal(mask, now))),
  ];
};
