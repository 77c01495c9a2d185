import type { FastifyInstance } from "fastify";
import { type Html, type HtmlPage, html, sendHtmlPage } from "../../platform/http/htmlPage.ts";
import * as refusals from "./replyRefusals.ts";

const sectionOf = ({ code, reason, advice }: refusals.RefusalHelp): Html =>
  html`<section><h2 id="${code}">${code}</h2>
<p><strong>${reason}.</strong></p>
<p>${advice.charAt(0).toUpperCase() + advice.slice(1)}</p></section>`;

const sections: readonly Html[] = Object.values(refusals)
  .flatMap((refusal) =>
    typeof refusal === "object" && "help" in refusal && refusal.help ? [refusal.help] : [],
  )
  .toSorted((one, other) => one.code.localeCompare(other.code, "en", { numeric: true }))
  .map(sectionOf);

/** Serves a page with a section for the code of each refusal, which notifications of refused replies link to. */
export const refusalHelpRoute =
  ({ brand, publicUrl }: Pick<HtmlPage, "brand" | "publicUrl">) =>
  (fastify: FastifyInstance): void => {
    fastify.get(refusals.refusalHelpPath, async (_request, reply) =>
      sendHtmlPage(reply, {
        brand,
        publicUrl,
        title: "Replies that were not sent",
        body: html`<h1>Why a reply was not sent</h1>
<p class="muted">The code stands in the notification and in the answer that your mail server got.</p>
${sections}`,
      }),
    );
  };
