import type { ReactNode } from "react";
import { useApp } from "../binding/useApp.ts";
import { Bell } from "../notifications/Bell.tsx";
import { Logo } from "../ui/Logo.tsx";
import { ConnectionState } from "./ConnectionState.tsx";
import styles from "./Header.module.css";
import { LogOutButton } from "./LogOutButton.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";

interface HeaderProps {
  readonly email: string;
  /** The tab bar. */
  readonly children: ReactNode;
}

/** Who the page is, who is signed in, and the way out (SH1). */
export const Header = ({ email, children }: HeaderProps) => {
  const { brand } = useApp().configuration;
  return (
    <header className={styles.header}>
      <div className={styles.inside}>
        <div className={styles.brand}>
          <Logo name={brand} />
        </div>
        <div className={styles.tabs}>{children}</div>
        <div className={styles.person}>
          <ConnectionState />
          <span className={styles.email} title={email}>
            {email}
          </span>
          <Bell />
          <ThemeToggle />
          <LogOutButton />
        </div>
      </div>
    </header>
  );
};
