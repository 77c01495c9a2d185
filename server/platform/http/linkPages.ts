import formbody from "node:querystring";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Html, type HtmlPage, html, narrowCard, noHtml, sendHtmlPage } from "./htmlPage.ts";
import { perMinute } from "./httpLimits.ts";

/** Reads a field of a link, or of the form on its page; "" without one. */
export type ReadField = (name: string) => string;

/** A page that a link opens, or that says what its form has done. */
export interface LinkPage {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
}

interface LinkPagesOptions<Found> {
  readonly sender: Pick<HtmlPage, "brand" | "publicUrl">;
  /** The path of the link and of the form on its page; a parameter in it is a field too. */
  readonly path: string;
  /** Finds what a link is about; null when it does not work any more. */
  readonly find: (field: ReadField) => Promise<Found | null>;
  /** The text of a link's page that does not work any more: why, and where to go instead. */
  readonly gone: Html;
  readonly ask: (found: Found) => LinkPage | Promise<LinkPage>;
  /** Does what the page asks, and returns the page that says so. */
  readonly carryOut: (found: Found) => Promise<LinkPage>;
  /** The number of times a minute that an address may open and use them. */
  readonly perMinute?: number;
}

interface LinkFormOptions {
  readonly action: string;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly label: string;
  readonly kind?: "primary" | "secondary";
}

/** Returns the form of a link's page: one button, which sends the fields of the link. */
export const linkForm = ({ action, fields, label, kind = "primary" }: LinkFormOptions): Html => {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const look = kind === "secondary" ? html` class="secondary"` : noHtml;
  return html`<form method="post" action=".${action}">${inputs}<button${look}>${label}</button></form>`;
};

const readFrom =
  (sent: unknown, params: unknown): ReadField =>
  (name) => {
    const fields: Readonly<Record<string, unknown>> = { ...Object(sent), ...Object(params) };
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return typeof value === "string" ? value : "";
  };

/**
 * Serves the pages of a link in a mail. Opening it only asks, so that programs that open every link in a mail change nothing;
 * the button on its page does it. Whoever has the link needs no session.
 */
export const linkPages =
  <Found>({
    sender: { brand, publicUrl },
    path,
    find,
    gone,
    ask,
    carryOut,
    perMinute: rate = perMinute.signIn,
  }: LinkPagesOptions<Found>) =>
  (fastify: FastifyInstance): void => {
    const gonePage: LinkPage = {
      title: "Link",
      body: html`<h1>This link does not work any more</h1>
${gone}`,
      status: 404,
    };
    /** With "no-referrer", browsers would send the form with the origin "null", which is refused. */
    const show = (reply: FastifyReply, { body, ...page }: LinkPage): FastifyReply =>
      sendHtmlPage(reply.header("referrer-policy", "same-origin"), {
        brand,
        publicUrl,
        ...page,
        body: narrowCard(body),
      });

    fastify.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, parsed) => parsed(null, formbody.parse(String(body))),
    );
    const config = { perMinute: rate };
    fastify.get(path, { config }, async ({ query, params }, reply) => {
      const found = await find(readFrom(query, params));
      return show(reply, found === null ? gonePage : await ask(found));
    });
    fastify.post(path, { config }, async ({ body, params }, reply) => {
      const found = await find(readFrom(body, params));
      return show(reply, found === null ? gonePage : await carryOut(found));
    });
  };
