import { dayMs } from "../kernel/durations.ts";
import type { MailPicture, MaskPicture } from "./mailPicture.ts";
import type { Suggestion } from "./suggestion.ts";

/** A share of fewer mails than this is chance. */
const fewestMails = 10;
const mostlyPromotions = 0.6;
/** A sender on so many masks did not get all those addresses from the person. */
const soldOnMasks = 3;
const idleAfterMs = 90 * dayMs;
const fewestForged = 5;
const manyForged = 0.2;
const manySenders = 5;
const busySender = 3;
const mostOfAKind = 3;

type Proposal = Omit<Suggestion, "status" | "applied">;

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
const about = ({ id, description }: MaskPicture): Pick<Proposal, "maskId" | "maskName"> => ({
  maskId: id,
  maskName: description,
});

const promotions = (mask: MaskPicture, since: string): Proposal | null =>
  mask.active &&
  !mask.hasPromotionRule &&
  mask.received >= fewestMails &&
  mask.promotions >= mostlyPromotions * mask.received
    ? {
        ...about(mask),
        actionKey: `promotions:${mask.id}`,
        title: `“${mask.description}” gets mostly promotions`,
        description: `${mask.promotions} of its ${mask.received} mails since ${since} (${percent(mask.promotions, mask.received)}) were promotions or newsletters. A rule can archive them.`,
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

const idle = (mask: MaskPicture, now: number): Proposal | null => {
  const last = mask.lastMailAt ?? mask.createdAt;
  return mask.active && now - last >= idleAfterMs
    ? {
        ...about(mask),
        actionKey: `idle:${mask.id}`,
        title: `No mail to “${mask.description}” for ${Math.floor((now - last) / dayMs)} days`,
        description:
          "If you no longer need it, switch it off: whoever has the address is refused, and you can switch it on again.",
        type: "efficiency",
        category: "other",
        action: "switchOff",
        actionText: "Switch off",
      }
    : null;
};

const forged = (mask: MaskPicture, since: string): Proposal | null =>
  mask.active &&
  !mask.spamFilter &&
  mask.dmarcFailed >= fewestForged &&
  mask.dmarcFailed >= manyForged * mask.checked
    ? {
        ...about(mask),
        actionKey: `forged:${mask.id}`,
        title: `Forged mail comes to “${mask.description}”`,
        description: `Of ${mask.checked} mails that were checked since ${since}, ${mask.dmarcFailed} did not come from whom they say (DMARC failed). The spam filter stops such mail.`,
        type: "security",
        category: "other",
        action: "turnOnSpamProtection",
        actionText: "Turn on spam filter",
      }
    : null;

const split = (mask: MaskPicture): Proposal | null => {
  const busy = mask.senders.filter(({ received }) => received >= busySender);
  const [, second] = busy;
  return mask.active && busy.length >= manySenders && second
    ? {
        ...about(mask),
        actionKey: `split:${mask.id}`,
        title: `${busy.length} senders share “${mask.description}”`,
        description: `Give ${second.domain} a mask of its own: if one address leaks, you know who leaked it and can switch off that one alone.`,
        type: "efficiency",
        category: "other",
        action: "createMask",
        actionText: "Create mask",
        maskName: second.domain,
        forwardTo: mask.forwardTo,
      }
    : null;
};

const masksOf = (masks: readonly MaskPicture[]): ReadonlyMap<string, readonly MaskPicture[]> => {
  const found = new Map<string, MaskPicture[]>();
  for (const mask of masks)
    for (const { domain } of mask.senders) found.set(domain, [...(found.get(domain) ?? []), mask]);
  return found;
};

/** A sender that writes to many masks has the addresses from somebody else. */
const leaks = ({ masks }: MailPicture): readonly Proposal[] =>
  [...masksOf(masks)]
    .filter(([, reached]) => reached.length >= soldOnMasks)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .flatMap(([domain, reached]) => {
      const [first] = reached;
      return first
        ? [
            {
              ...about(first),
              actionKey: `leak:${domain}`,
              title: `${domain} writes to ${reached.length} of your masks`,
              description: `It reaches ${reached.map(({ description }) => `“${description}”`).join(", ")}: addresses were passed on. A rule can block it.`,
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

const account = ({ twoFactor, hasKey, masks }: MailPicture): readonly Proposal[] => [
  ...(twoFactor
    ? []
    : [
        {
          actionKey: "two-factor",
          title: "Sign-in rests on your mailbox alone",
          description: "With a second factor, whoever can read your mail still cannot sign in as you.",
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
          description: "With a key made on your device, mail leaves this server readable by you alone.",
          type: "security" as const,
          category: "important",
          action: "setUpEncryption",
          actionText: "Set up encryption",
        },
      ]),
];

const atMost = (proposals: readonly (Proposal | null)[]): readonly Proposal[] =>
  proposals.filter((one): one is Proposal => one !== null).slice(0, mostOfAKind);

/**
 * What would help an account, computed from facts alone; each says which. At most three of a kind, the weightiest
 * kinds first; a suggestion keeps its `actionKey` for as long as its cause lasts.
 */
export const suggest = (picture: MailPicture, now: number): readonly Proposal[] => {
  const { masks, since } = picture;
  const byMail = masks.toSorted((one, other) => other.received - one.received);
  return [
    ...account(picture),
    ...atMost(leaks(picture)),
    ...atMost(byMail.map((mask) => forged(mask, since))),
    ...atMost(byMail.map((mask) => promotions(mask, since))),
    ...atMost(byMail.map((mask) => split(mask))),
    ...atMost(masks.map((mask) => idle(mask, now))),
  ];
};
