const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** True if a host, with or without a port, names this machine only. */
export const isLoopbackHost = (host: string): boolean => loopbackHost.test(host);

/** True if the app can be reached from this machine only. */
export const isLoopbackOrigin = (origin: string): boolean =>
  URL.canParse(origin) && isLoopbackHost(new URL(origin).host);
