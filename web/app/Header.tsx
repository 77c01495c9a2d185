import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useLogout } from "../features/account/useLogout.tsx";
import { Bell } from "../features/notifications/Bell.tsx";
import { useApp } from "../react/useApp.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { Logo } from "../ui/icons/Logo.tsx";
import { LogoutIcon } from "../ui/icons/LogoutIcon.tsx";
import { SearchIcon } from "../ui/icons/SearchIcon.tsx";
import { Keycaps } from "../ui/Keycaps.tsx";
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

interface FirstHeader {
  readonly element: Element;
  readonly theme: string;
}

let first: FirstHeader | undefined;

/** A copy of the header as the page shows it at first, before it knows the connection and the notifications. */
export const firstHeader = (): FirstHeader | undefined => first;

interface HeaderProps {
  readonly email: string;
  /** Opens the search of masks, screens and actions. */
  readonly onSearch: () => void;
  /** The navigation. */
  readonly children: ReactNode;
}

/** The page header: logo, navigation, connection state, account, notifications, theme and logout (SH1). */
export const Header = ({ email, onSearch, children }: HeaderProps) => {
  const { configuration, theme } = useApp();
  const { brand } = configuration;
  const header = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (header.current === null) return;
    first = { element: header.current.cloneNode(true) as Element, theme: theme.theme$.value };
  }, [theme]);
  return (
    <header className={styles.header} ref={header}>
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
            <Keycaps keys={commandKey("K")} />
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
