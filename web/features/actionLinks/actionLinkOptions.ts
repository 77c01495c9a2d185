import type { ActionLinkPlace } from "../../../core/mail/actionLinkPlace.ts";
import type { SelectOption } from "../../ui/form/Select.tsx";

/** The places of links in forwarded mail, as they are offered. */
export const actionLinkOptions: readonly SelectOption<ActionLinkPlace>[] = [
  { value: "off", label: "No links", description: "Emails arrive as they were sent, byte for byte." },
  {
    value: "header",
    label: "In the header",
    description: "X-Bauta-Switch-Off and X-Bauta-Block-Sender, for programs that show such lines.",
  },
  {
    value: "footer",
    label: "Below the text",
    description: "Signed and encrypted emails stay as they are and have the links in the header.",
  },
];
