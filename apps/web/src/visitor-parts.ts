/** The texts that pages for visitors are made of; the console takes all. */
export const visitorParts = ['ui'] as const
