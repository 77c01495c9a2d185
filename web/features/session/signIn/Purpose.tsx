import { useApp } from "../../../react/useApp.ts";
import { CheckIcon } from "../../../ui/icons/CheckIcon.tsx";
import { Logo } from "../../../ui/icons/Logo.tsx";
import { MailIcon } from "../../../ui/icons/MailIcon.tsx";
import { ShieldIcon } from "../../../ui/icons/ShieldIcon.tsx";
import styles from "./Purpose.module.css";

/** The product description beside the form. */
export const Purpose = () => {
  const { brand, singleSignOn } = useApp().configuration;
  return (
    <div className={styles.purpose}>
      <div className={styles.mark} aria-hidden="true">
        <Logo size={72} />
      </div>
      <p className={styles.statement}>A different address for everyone who asks for yours.</p>
      <ul className={styles.points}>
        <li>
          <MailIcon />
          <span>Mail to a mask reaches your own mailbox. The sender knows only the mask.</span>
        </li>
        <li>
          <ShieldIcon />
          <span>When a mask gets unwanted mail, switch it off. Your own address stays private.</span>
        </li>
        {!singleSignOn?.only && (
          <li>
            <CheckIcon />
            <span>No password to lose: {brand} sends you a code, and that is how you log in.</span>
          </li>
        )}
      </ul>
    </div>
  );
};
