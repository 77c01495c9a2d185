import { useMemo, useState } from "react";
import type { Encryption } from "../../../../core/encryption/encryption.ts";
import { htmlToText } from "../../../../core/mail/htmlText.ts";
import { longTime } from "../../../format/dates.ts";
import { formatBytes } from "../../../format/numbers.ts";
import { Badge } from "../../../ui/Badge.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { saveFile } from "../../../ui/files.tsx";
import { DownloadIcon } from "../../../ui/icons/DownloadIcon.tsx";
import { findPicture, toFileName } from "./attachments.ts";
import { MailFrame } from "./MailFrame.tsx";
import styles from "./MailReader.module.css";
import type { MailLink } from "./mailLinks.ts";
import { parseMailHtml } from "./parseMailHtml.ts";
import { sanitizeHtml } from "./sanitizeHtml.ts";

type OpenResult = Awaited<ReturnType<ReturnType<Encryption["open"]>>>;

/** A mail as `encryption.open` returns it. */
export type ShownMail = Extract<OpenResult, { readonly _tag: "Right" }>["right"];

const Links = ({ links }: { readonly links: readonly MailLink[] }) => (
  <details className={styles.links}>
    <summary>
      {links.length} {links.length === 1 ? "link" : "links"} in this email
    </summary>
    <ul className={styles.list}>
      {links.map(({ text, address }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mail may contain the same link twice, and never changes
        <li key={at}>
          <span>
            {text !== "" && text !== address && (
              <>
                <bdi>{text}</bdi>:{" "}
              </>
            )}
            {address.startsWith("mailto:") ? (
              address
            ) : (
              <a href={address} target="_blank" rel="noopener noreferrer">
                {address}
              </a>
            )}
          </span>
        </li>
      ))}
    </ul>
  </details>
);

const TextBody = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section className={styles.text} tabIndex={0} aria-label="Text of the email">
    {text}
  </section>
);

const leftOut = (pictures: number): string =>
  pictures === 1
    ? "A picture was left out: fetching it would tell the sender that you read this."
    : `${pictures} pictures were left out: fetching them would tell the sender that you read this.`;

const HtmlBody = ({ mail, html }: { readonly mail: ShownMail; readonly html: string }) => {
  const content = useMemo(() => {
    const parsed = parseMailHtml(html);
    return parsed && sanitizeHtml(parsed, (contentId) => findPicture(mail.attachments, contentId));
  }, [mail, html]);
  if (content === null)
    return (
      <>
        <Banner kind="warning">
          This email has too many formats, or formats inside formats, to be shown with them. This is its text.
        </Banner>
        <TextBody text={htmlToText(html, html.length)} />
      </>
    );
  return (
    <>
      {content.remotePictures > 0 && <p className={styles.note}>{leftOut(content.remotePictures)}</p>}
      {content.isEmpty && <p className={styles.note}>The formatted version of this email has no text.</p>}
      <MailFrame content={content} />
      {content.links.length > 0 && <Links links={content.links} />}
    </>
  );
};

/** Shows an opened mail: its header, its text and its attachments. */
export const MailView = ({ mail }: { readonly mail: ShownMail }) => {
  const { html, text } = mail;
  const [isPlain, setPlain] = useState(html === null);
  const rows = [
    ["From", mail.from],
    ["To", mail.to],
    ["Cc", mail.cc],
    ["Date", mail.date === "" ? "" : longTime(Date.parse(mail.date))],
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
            {isPlain ? "Show formatted" : "Show plain text"}
          </Button>
        </div>
      )}
      {html !== null && !isPlain ? (
        <HtmlBody mail={mail} html={html} />
      ) : (
        <TextBody text={text ?? "This email has no text."} />
      )}
      {mail.attachments.length > 0 && (
        <section aria-label="Attachments">
          <ul className={styles.list}>
            {mail.attachments.map((attachment, at) => {
              const name = toFileName(attachment.name, at);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: an attachment is identified by its index
                <li key={at}>
                  <span>
                    {name} <span className={styles.note}>{formatBytes(attachment.content.byteLength)}</span>
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
