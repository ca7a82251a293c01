/** The texts that pages for visitors are made of; the console takes all. */
export const publicTexts = ['ui'] as const
