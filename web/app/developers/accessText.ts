import type { DescribedCall } from "../../../core/api/apiDescription.ts";

/** Says in a few words what a program needs for a call. */
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
