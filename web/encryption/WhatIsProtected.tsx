import { useApp } from "../binding/useApp.ts";
import styles from "./Encryption.module.css";

/** What encryption covers and what it cannot cover, plainly (D40). */
export const WhatIsProtected = () => {
  const { brand } = useApp().configuration;
  return (
    <details className={styles.details}>
      <summary>What is protected</summary>
      <p>
        <strong>Protected:</strong> subject, text and attachments of every mail that is forwarded, archived or
        collected from now on. They are encrypted before anything is stored or sent on, so they cannot be read
        in the database, in its backups or at your mail provider.
      </p>
      <p>
        <strong>Not protected:</strong>
      </p>
      <ul className={styles.list}>
        <li>
          A mail on its way to {brand}: it arrives as its sender sent it, and the relay sees it for the moment
          it takes to apply your rules and encrypt it.
        </li>
        <li>
          Who wrote to which mask, when, and how large the mail is: mail servers need that to deliver it, and
          your statistics are made of it. With content access on, the category of a mail is kept as well.
        </li>
        <li>Mail that came before, and mails that {brand} itself writes to you, such as sign-in codes.</li>
        <li>
          That masks belong together: senders who know how can ask this server for the public key of a mask,
          to encrypt before they send, and it is the same key for all of yours. You can switch that off.
        </li>
        <li>This device: whoever can use your unlocked browser can read what you can.</li>
      </ul>
    </details>
  );
};
