import type { ReactNode } from "react";
import { followPlainly } from "./followPlainly.ts";
import type { IconButtonProps } from "./IconButton.tsx";
import { ChevronDownIcon } from "./icons/ChevronDownIcon.tsx";
import styles from "./NavBar.module.css";

export interface NavBarLink<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly icon: ReactNode;
  readonly href: string;
  /** A count on the link and its unit: {count: 3, label: "unread"}. Hidden at 0. */
  readonly badge?: { readonly count: number; readonly label: string } | undefined;
}

interface NavBarBadgeProps {
  readonly badge: NavBarLink<string>["badge"];
}

const NavBarBadge = ({ badge }: NavBarBadgeProps) =>
  badge === undefined || badge.count === 0 ? null : (
    <>
      {" "}
      <span className={styles.badge}>
        {badge.count} <span className="visually-hidden">{badge.label}</span>
      </span>
    </>
  );

export interface NavBarProps<T extends string> {
  readonly label: string;
  readonly links: readonly NavBarLink<T>[];
  /** The link of what is shown, and whether that is its own page or one below it. */
  readonly current: { readonly id: T; readonly isPage: boolean };
  /** Called on a plain press; one with a modifier key or another button is the browser's. */
  readonly onFollow: (id: T) => void;
  /** Called when a link is hovered or focused, before it is followed, for example to prefetch its code. */
  readonly onIntent?: ((id: T) => void) | undefined;
  /** True for links at the other end of the line, which a narrow screen has no place for. */
  readonly isAside?: boolean | undefined;
  /** The content after the links, such as a menu with more of them. */
  readonly children?: ReactNode;
}

type NavBarButtonProps = Pick<
  IconButtonProps,
  | "label"
  | "icon"
  | "onPress"
  | "ref"
  | "id"
  | "onPointerEnter"
  | "onFocus"
  | "onKeyDown"
  | "aria-expanded"
  | "aria-haspopup"
>;

/** The navigation of a page: a line of links on a wide screen, a bar with icons at the lower edge below 768 px. */
export const NavBar = <T extends string>({
  label,
  links,
  current,
  onFollow,
  onIntent,
  isAside = false,
  children,
}: NavBarProps<T>) => (
  <nav className={isAside ? styles.aside : styles.bar} aria-label={label}>
    {links.map(({ id, label: text, icon, href, badge }) => (
      <a
        key={id}
        href={href}
        aria-current={id === current.id ? (current.isPage ? "page" : "true") : undefined}
        className={styles.link}
        onClick={followPlainly(() => onFollow(id))}
        onPointerEnter={() => onIntent?.(id)}
        onFocus={() => onIntent?.(id)}
      >
        <span className={styles.icon}>{icon}</span>
        <span className={styles.label}>{text}</span>
        <NavBarBadge badge={badge} />
      </a>
    ))}
    {children}
  </nav>
);

/** A button among the links of a NavBar, such as that of a menu with more of them; a narrow screen shows its count. */
export const NavBarButton = ({
  label,
  icon,
  badge,
  onPress,
  ...rest
}: NavBarButtonProps & Partial<NavBarBadgeProps>) => (
  <button {...rest} type="button" className={styles.link} onClick={onPress}>
    <span className={styles.icon}>{icon}</span>
    <span className={styles.label}>{label}</span>{" "}
    <span className={styles.count}>
      <NavBarBadge badge={badge} />
    </span>
    <ChevronDownIcon size={16} className={styles.more} />
  </button>
);
