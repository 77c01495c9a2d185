import type { FastifyInstance } from "fastify";
import { publicPathOf } from "../../platform/http/publicPath.ts";

const tokens = "/#settings/programs/api-tokens";

/** The pages of SimpleLogin that its extension opens, and the places of the page that show the same. */
const places: Readonly<Record<string, string>> = {
  "/dashboard": "/#masks",
  "/dashboard/api_key": tokens,
  "/dashboard/pricing": "/#account",
  "/auth/register": "/login",
  "/onboarding": tokens,
};

/** Leads whoever comes from SimpleLogin's extension to the page, with a slash at the end of the path or without. */
export const pageRoutes =
  (publicUrl: string) =>
  (fastify: FastifyInstance): void => {
    for (const [path, place] of Object.entries(places))
      for (const url of [path, `${path}/`])
        fastify.get(url, async (_request, reply) => reply.redirect(`${publicPathOf(publicUrl)}${place}`));
  };
