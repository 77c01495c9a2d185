import { html } from "../../platform/http/htmlPage.ts";
import { type LinkPage, linkForm, linkPages } from "../../platform/http/linkPages.ts";
import { recordMaskChange } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { confirmDestination, findDestinationByToken } from "./destinationQueries.ts";

const path = "/confirm";

const toAppLink = html`<p><a href="./">Open your masks</a></p>`;

const questionPage = (email: string, brand: string, token: string): LinkPage => ({
  title: "Confirm",
  body: html`<h1>Forward mail to this address?</h1>
<p>Somebody who uses ${brand} wants mail to their masks to arrive at <strong class="mono">${email}</strong>.</p>
<p class="muted">If you did not ask for this, close this page: nothing is forwarded.</p>
${linkForm({ action: path, fields: { token }, label: "Yes, forward it here" })}`,
});

const confirmedPage = (email: string): LinkPage => ({
  title: "Confirmed",
  body: html`<h1>Confirmed</h1>
<p>Mail to your masks is now forwarded to <strong class="mono">${email}</strong>.</p>
${toAppLink}`,
});

/** Serves the link of a confirmation mail (D33). */
export const confirmationRoutes = ({ database, clock, hash, sender, feed }: MaskDeps) =>
  linkPages({
    sender,
    path,
    find: async (field) => {
      const token = field("token");
      const row = await findDestinationByToken(database.db, hash("confirmation", token), clock.now());
      return row ? { ...row, token } : null;
    },
    gone: html`<p>It is too old, or a newer email has taken its place. To get a new one, open the mask, choose Edit, and save it again.</p>
${toAppLink}`,
    ask: ({ email, confirmed_at, token }) =>
      confirmed_at === null ? questionPage(email, sender.brand, token) : confirmedPage(email),
    carryOut: async ({ id, user_id, email }) => {
      const now = clock.now();
      await database.transaction(async (db) => {
        if (await confirmDestination(db, id, now))
          await recordMaskChange(db, { userId: user_id, clientId: null }, "updated", null, now);
      });
      feed.wake();
      return confirmedPage(email);
    },
  });
