import type { CreateFeature } from "../../context/feature.ts";
import { contentOf } from "../../delivery/outgoingCopy.ts";
import type { CopyDraft, Treated, Treatment } from "../../relay/mailPart.ts";
import { actionLinkRoutes } from "./actionLinkRoutes.ts";
import { createSignedLinks, type SignedLinks } from "./actionLinks.ts";
import { actionLinksOf } from "./actionLinksOf.ts";
import { addLinkFooter, maxFootedBytes } from "./linkFooter.ts";

/**
 * Creates the treatment that writes the links of a mask into its mail: as fields, or below the text. Beyond `maxFootedBytes` of
 * one mail the copies get fields.
 */
const createActionLinkTreatment =
  (links: Pick<SignedLinks, "url">): Treatment =>
  ({ content, header, sender, now, readAll }) => {
    let footedBytes = 0;
    return async ({ route, body, unsubscribeUrl }: CopyDraft): Promise<Treated> => {
      if (route.actionLinks === "off") return {};
      const linked = { head: content.head, header, sender, now, unsubscribeUrl };
      const { fields, footer } = actionLinksOf(links, linked, route);
      const asFields = { fields: { text: fields, isLast: true as const } };
      if (route.actionLinks === "header" || footedBytes + body.content.size > maxFootedBytes) return asFields;
      footedBytes += body.content.size;
      const whole = body.content === content ? await readAll() : body.content.head;
      const footed = addLinkFooter(whole, header, footer);
      return footed ? { body: { content: contentOf(footed), skip: header.end } } : asFields;
    };
  };

/** The links in forwarded mail that act on its mask. */
export const actionLinksFeature: CreateFeature = (context) => ({
  routes: [actionLinkRoutes(context)],
  mail: {
    treatments: [createActionLinkTreatment(createSignedLinks(context.hash, context.config.publicUrl))],
  },
});
