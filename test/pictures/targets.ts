import type { Page } from "playwright-core";

/**
 * Returns what can be pressed and is smaller than 44 px, in words.
 *
 * A target is what answers a press: a control with its label, and all of a row that is pressed as a whole, with what a
 * pseudo-element adds. Not asked of (as WCAG 2.5.8 has it): a link within a line of text, whose height is that of the
 * line; what another target around it does as well; and what is not shown.
 */
export const smallTargetsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const least = 44;
    const roles = [
      "button",
      "link",
      "menuitem",
      "menuitemradio",
      "menuitemcheckbox",
      "option",
      "tab",
      "switch",
    ];
    const selector = [
      "a[href], button, input, select, textarea, summary",
      ...roles.map((role) => `[role=${role}]`),
    ].join(", ");

    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) &&
      element.closest("[inert], [aria-hidden=true]") === null &&
      !element.matches("[type=hidden], [type=file]");

    /** A control is pressed on its label too, and a field on its frame. */
    const targetOf = (element: Element): Element => {
      const frame = element.parentElement;
      if (!element.matches("input") || frame === null) return element;
      if (element.matches("[type=checkbox], [type=radio]")) return element.closest("label") ?? element;
      return frame.clientHeight - element.clientHeight <= 4 ? frame : element;
    };

    const isInText = (element: Element): boolean => {
      if (!element.matches("a, [role=link]") || getComputedStyle(element).display !== "inline") return false;
      const around = element.parentElement?.textContent?.trim() ?? "";
      return around.length > (element.textContent?.trim().length ?? 0);
    };

    /** Whether only screen readers find it, or only the focus shows it. */
    const isClipped = (element: Element): boolean => {
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        const { width, height } = around.getBoundingClientRect();
        if ((width <= 1 || height <= 1) && getComputedStyle(around).overflow !== "visible") return true;
      }
      return false;
    };

    /** Whether a press so far from the middle still reaches the target. */
    const reaches = (target: Element): boolean => {
      target.scrollIntoView({ block: "center", inline: "center" });
      const { left, top, width, height } = target.getBoundingClientRect();
      const [x, y, far] = [left + width / 2, top + height / 2, least / 2 - 1];
      const points = [
        ...(width < least ? [[x - far, y] as const, [x + far, y] as const] : []),
        ...(height < least ? [[x, y - far] as const, [x, y + far] as const] : []),
      ];
      return points.every(([atX, atY]) => target.contains(document.elementFromPoint(atX, atY)));
    };

    const targets = new Set(
      [...document.querySelectorAll(selector)]
        .filter(isShown)
        .map(targetOf)
        .filter((target) => !isClipped(target) && !isInText(target)),
    );
    return [...targets].flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      // Half a pixel is lost in rounding.
      if ((width >= least - 0.5 && height >= least - 0.5) || reaches(target)) return [];
      const name = target.getAttribute("aria-label") ?? target.textContent?.trim().slice(0, 40) ?? "";
      return [`${target.localName} “${name}”: ${Math.round(width)} × ${Math.round(height)}`];
    });
  });

/** Returns the dialogs whose content is wider than they are, in words. */
export const sidewaysDialogsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("[role=dialog], [role=alertdialog]")].flatMap((dialog) =>
      [dialog, ...dialog.children]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(
          ({ localName, scrollWidth, clientWidth }) => `${localName}: ${scrollWidth} of ${clientWidth} px`,
        ),
    ),
  );
