import type { DescribedCall } from "../../../core/api/apiDescription.ts";

/** What a program needs for a call, in a few words. */
export const accessText = (access: DescribedCall["access"]): string => {
  switch (access) {
    case "open":
      return "Needs no token";
    case "any":
      return "Any token";
    case "none":
      return "Only the app";
    default:
      return access;
  }
};
