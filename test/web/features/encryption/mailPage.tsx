import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { MailView } from "../../../../web/features/encryption/mail/MailView.tsx";

// The view of an opened mail, for tests in a real browser of what jsdom cannot show.

declare global {
  interface Window {
    /** Shows a mail with this HTML; resolves once its frame has loaded. */
    showMail: (html: string) => Promise<void>;
  }
}

const root = createRoot(document.getElementById("root") ?? document.body);
let shown = 0;

/** A red pixel, as an image embedded in a mail. */
const pixel = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAP8AAP8AACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="),
  (letter) => letter.charCodeAt(0),
);

window.showMail = (html) => {
  shown += 1;
  const mail = {
    wasEncrypted: true,
    messageId: "",
    subject: "A mail",
    from: "a@shop.example",
    to: "",
    cc: "",
    date: "",
    text: null,
    html,
    attachments: [{ name: "pixel.gif", type: "image/gif", contentId: "pixel", content: pixel }],
  };
  flushSync(() => root.render(<MailView key={shown} mail={mail} />));
  const frame = document.querySelector("iframe");
  return new Promise((resolve) => {
    if (frame) frame.addEventListener("load", () => resolve(), { once: true });
    else resolve();
  });
};
