/** Returns the pattern of the paths that a route answers, whose parameters are segments that begin with ":". */
export const routePattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`);
