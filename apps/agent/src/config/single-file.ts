declare const IS_SINGLE_FILE: boolean | undefined

/** Runs on Bun instead of Node. */
export const isSingleFile: boolean = typeof IS_SINGLE_FILE === 'boolean'
