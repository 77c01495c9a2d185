// Under the page's policy a parser complains of each style it meets, also where nothing is shown: so it meets none.

const prefix = "data-mail-";

/** The attribute that a mail's styles stand in while it is parsed. */
export const hiddenStyle = `${prefix}style`;

/**
 * The HTML with its style attributes under that name; what only looks like one is changed with them. Stylesheets become
 * elements of another name whose content is no HTML either.
 */
export const withHiddenStyles = (html: string): string =>
  html.replace(/([\s"'/])(style\s*=)/gi, `$1${prefix}$2`).replace(/(<\/?)style\b/gi, "$1noframes");

/** Gives text back what was changed in it. */
export const withoutHiding = (text: string): string => text.replace(/data-mail-(?=style\s*=)/gi, "");
