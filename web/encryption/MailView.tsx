import { useMemo, useState } from "react";
import { Badge } from "../ui/Badge.tsx";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { DownloadIcon } from "../ui/icons/DownloadIcon.tsx";
import { saveFile } from "../ui/saveFile.ts";
import { sizeOf } from "../wording/sizes.ts";
import { fileNameOf, pictureIn } from "./attachments.ts";
import type { Encryption } from "./encryptionPart.ts";
import { MailFrame } from "./MailFrame.tsx";
import styles from "./MailReader.module.css";
import { parsedMail } from "./readMail.ts";
import { type MailLink, safeHtml } from "./safeHtml.ts";

type Opened = Awaited<ReturnType<ReturnType<Encryption["open"]>>>;

/** A mail as the device has opened it. */
export type ShownMail = Extract<Opened, { readonly _tag: "Right" }>["right"];

const when = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" });

const Links = ({ links }: { readonly links: readonly MailLink[] }) => (
  <details className={styles.links}>
    <summary>
      {links.length} {links.length === 1 ? "link" : "links"} in this mail
    </summary>
    <ul className={styles.list}>
      {links.map(({ text, address }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mail may hold the same link twice, and never changes
        <li key={at}>
          <span>
            {text !== "" && text !== address && `${text}: `}
            <a href={address} target="_blank" rel="noopener noreferrer">
              {address}
            </a>
          </span>
        </li>
      ))}
    </ul>
  </details>
);

const Html = ({ mail, html }: { readonly mail: ShownMail; readonly html: string }) => {
  const content = useMemo(
    () => safeHtml(parsedMail(html), (contentId) => pictureIn(mail.attachments, contentId)),
    [mail, html],
  );
  return (
    <>
      {content.remotePictures > 0 && (
        <p className={styles.note}>
          {content.remotePictures === 1 ? "A picture was" : `${content.remotePictures} pictures were`} left
          out: fetching {content.remotePictures === 1 ? "it" : "them"} would tell the sender that you read
          this.
        </p>
      )}
      <MailFrame content={content} />
      {content.isCut && <Banner kind="warning">This mail is very long. Its end is not shown.</Banner>}
      {content.links.length > 0 && <Links links={content.links} />}
    </>
  );
};

/** One opened mail: its header, its text, what came with it. */
export const MailView = ({ mail }: { readonly mail: ShownMail }) => {
  const { html, text } = mail;
  const [isPlain, setPlain] = useState(html === null);
  const rows = [
    ["From", mail.from],
    ["To", mail.to],
    ["Cc", mail.cc],
    ["Date", mail.date === "" ? "" : when.format(Date.parse(mail.date))],
  ] as const;
  return (
    <>
      <div>
        <Badge kind={mail.wasEncrypted ? "success" : "neutral"}>
          {mail.wasEncrypted ? "Was encrypted" : "Was not encrypted"}
        </Badge>
      </div>
      <h3 className={styles.subject}>{mail.subject || "No subject"}</h3>
      <dl className={styles.header}>
        {rows.flatMap(([name, value]) =>
          value === "" ? [] : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>],
        )}
      </dl>
      {html !== null && text !== null && (
        <div>
          <Button size="small" onPress={() => setPlain(!isPlain)}>
            {isPlain ? "Show with its looks" : "Show plain text"}
          </Button>
        </div>
      )}
      {html !== null && !isPlain ? (
        <Html mail={mail} html={html} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section className={styles.text} tabIndex={0} aria-label="Text of the mail">
          {text ?? "This mail has no text."}
        </section>
      )}
      {mail.attachments.length > 0 && (
        <section aria-label="Attachments">
          <ul className={styles.list}>
            {mail.attachments.map((attachment, at) => {
              const name = fileNameOf(attachment.name, at);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: an attachment is its place
                <li key={at}>
                  <span>
                    {name} <span className={styles.note}>{sizeOf(attachment.content.byteLength)}</span>
                  </span>
                  <Button
                    size="small"
                    icon={<DownloadIcon size={18} />}
                    aria-label={`Download ${name}`}
                    onPress={() => saveFile(name, attachment.content, "application/octet-stream")}
                  >
                    Download
                  </Button>
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
};
