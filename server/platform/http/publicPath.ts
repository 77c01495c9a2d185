import type { FastifyInstance } from "fastify";
import { SettingError } from "../config/settings.ts";

/** Returns the path that all addresses of the app begin with, without a slash at its end; empty where the app has its host to itself. */
export const publicPathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, "");

/** Creates the function that takes the path of PUBLIC_URL off the address of a request, unless the proxy before has done so. */
export const createWithoutPublicPath = (publicUrl: string): ((url: string) => string) => {
  const path = publicPathOf(publicUrl);
  return (url) => {
    if (path === "" || !url.startsWith(path)) return url;
    const rest = url.slice(path.length);
    if (rest.startsWith("/")) return rest;
    return rest === "" || rest.startsWith("?") ? `/${rest}` : url;
  };
};

/**
 * Refuses a path of PUBLIC_URL that begins as an address of the server's own: behind a proxy that takes it off, nobody could tell
 * whether it still stands there.
 */
export const refuseOwnPath = (fastify: FastifyInstance, publicUrl: string): void => {
  const [, first = ""] = publicPathOf(publicUrl).split("/");
  fastify.addHook("onRoute", ({ url }) => {
    if (first !== "" && url.split("/")[1] === first)
      throw new SettingError(
        `PUBLIC_URL is ${JSON.stringify(publicUrl)}; expected a path that does not begin with /${first}, where the server has addresses of its own.`,
      );
  });
};
