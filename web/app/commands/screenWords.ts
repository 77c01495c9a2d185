/**
 * Further words by which the palette finds a screen or a dialog, by its address: between commas, the ones that mean nothing else
 * first. They stand apart from what they describe, which is loaded with the first screen.
 */
export const screenWords: Readonly<Record<string, string>> = {
  rules: "filter, filters, sieve, template, condition, automation, tracking",
  insights: "statistics, stats, charts, analytics, figures, report, graph, leak, breach",
  account:
    "plan, billing, upgrade, subscription, invoice, price, pay, premium, usage, limit, quota, storage, profile, change email, score, cancel subscription",
  held: "spam, quarantine, junk, suspicious, release, approve, hold, waiting",
  mailbox: "inbox, mailbox, archive, read mail, kept mail",
  log: "why, history, delivery, not arrived, missing, bounce, activity, reason",
  developers: "openapi, swagger, reference, curl",
  "account/operator": "admin, administrator, server, queue, health, version",
  "masks/new": "alias, new, new mask, add, add mask, generate, disposable, temporary",
  "masks/view": "sort, order, rows, cards, columns, layout, page size",
  "masks/labels": "tags, folders, color",
  "masks/deleted": "restore, undo, trash, undelete, recover, bin",
  "settings/domains": "dns, custom domain, own domain, domain, mx, spf, dkim, dmarc, catch-all, subdomain",
};
