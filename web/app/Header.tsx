import type { ReactNode } from "react";
import { useLogout } from "../account/useLogout.tsx";
import { Bell } from "../notifications/Bell.tsx";
import { useApp } from "../react/useApp.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { Logo } from "../ui/Logo.tsx";
import { LogoutIcon } from "../ui/moreIcons.tsx";
import { ConnectionState } from "./ConnectionState.tsx";
import styles from "./Header.module.css";
import { ThemeToggle } from "./ThemeToggle.tsx";

const LogoutButton = () => {
  const { logOut, isRunning, confirmation } = useLogout();
  return (
    <>
      <IconButton label="Log out" icon={<LogoutIcon />} onPress={logOut} isPending={isRunning} />
      {confirmation}
    </>
  );
};

interface HeaderProps {
  readonly email: string;
  /** The tab bar. */
  readonly children: ReactNode;
}

/** The page header: logo, tab bar, connection state, account, notifications, theme and logout (SH1). */
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
          <LogoutButton />
        </div>
      </div>
    </header>
  );
};
