/** Shown where the site has no name of its own. */
export const productName = 'Quarterdeck'
/** The first year of the copyright. */
export const firstYear = 2025
