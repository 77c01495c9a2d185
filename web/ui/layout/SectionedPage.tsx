import type { ReactNode, Ref } from "react";
import { ChevronLeftIcon } from "../icons/ChevronLeftIcon.tsx";
import { ChevronRightIcon } from "../icons/ChevronRightIcon.tsx";
import styles from "./SectionedPage.module.css";

/** A section of a page, as its navigation shows it. */
export interface PageSection {
  readonly id: string;
  readonly href: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** A summary of its content, shown where the sections are a list. */
  readonly text: string;
}

export interface SectionedPageProps {
  readonly title: string;
  /** The name of the navigation. */
  readonly label: string;
  readonly sections: readonly PageSection[];
  /** The shown section. */
  readonly current: string;
  /** True if the address names the page and no section: a narrow screen shows the list of sections then. */
  readonly isIndex: boolean;
  /** The link to the list of sections, on a narrow screen. */
  readonly back: { readonly href: string; readonly label: string };
  readonly heading: string;
  readonly text: string;
  readonly headingRef: Ref<HTMLHeadingElement>;
  readonly ref: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

const headingId = "section-title";

/** A page with a navigation of sections at its side; below 768 px the sections are a list, and each is a screen with a way back. */
export const SectionedPage = ({
  title,
  label,
  sections,
  current,
  isIndex,
  back,
  heading,
  text,
  headingRef,
  ref,
  children,
}: SectionedPageProps) => (
  <div className={styles.page} data-shows={isIndex ? "list" : "section"} ref={ref}>
    <h1 className={styles.title}>{title}</h1>
    <nav aria-label={label} className={styles.nav}>
      <ul className={styles.list}>
        {sections.map(({ id, href, label: name, icon, text: hint }) => (
          <li key={id}>
            <a href={href} className={styles.link} aria-current={id === current ? "page" : undefined}>
              <span className={styles.icon}>{icon}</span>
              <span className={styles.words}>
                <span>{name}</span>
                <span className={styles.hint} aria-hidden="true">
                  {hint}
                </span>
              </span>
              <ChevronRightIcon size={18} className={styles.chevron} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <div className={styles.content}>
      <a href={back.href} className={styles.back}>
        <ChevronLeftIcon size={18} />
        {back.label}
      </a>
      <section aria-labelledby={headingId} className={styles.section}>
        <div className={styles.head}>
          <h2 id={headingId} ref={headingRef} tabIndex={-1} className={styles.heading}>
            {heading}
          </h2>
          <p className={styles.text}>{text}</p>
        </div>
        {children}
      </section>
    </div>
  </div>
);
