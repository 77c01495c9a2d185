const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });

/** "$4.99". */
export const dollarsOf = (amount: number): string => dollars.format(amount);
