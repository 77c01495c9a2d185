import type { ReactNode } from "react";
import { useLogout } from "../features/account/useLogout.tsx";
import { Bell } from "../features/notifications/Bell.tsx";
import { useApp } from "../react/useApp.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { Logo } from "../ui/icons/Logo.tsx";
import { LogoutIcon } from "../ui/icons/LogoutIcon.tsx";
import { SearchIcon } from "../ui/icons/SearchIcon.tsx";
import { KeyHint } from "../ui/Keycaps.tsx";
import { commandKey } from "./commands/commandKey.ts";
import { ConnectionState } from "./connection/ConnectionState.tsx";
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
  /** Opens the search of masks, screens and actions. */
  readonly onSearch: () => void;
  /** The navigation. */
  readonly children: ReactNode;
}

/** The page header: logo, navigation, connection state, account, notifications, theme and logout (SH1). */
export const Header = ({ email, onSearch, children }: HeaderProps) => {
  const { brand } = useApp().configuration;
  return (
    <header className={styles.header}>
      <div className={styles.inside}>
        <div className={styles.brand}>
          <Logo name={brand} />
        </div>
        <div className={styles.tabs}>{children}</div>
        <button
          type="button"
          className={styles.search}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onSearch}
        >
          <SearchIcon size={18} />
          <span className={styles.searchLabel}>Search or go to…</span>
          <span className={styles.searchKeys} aria-hidden="true">
            <KeyHint keys={commandKey("K")} />
          </span>
        </button>
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
