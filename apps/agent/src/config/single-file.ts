/** Set by the build of single files (scripts/build.mjs). */
declare const IS_SINGLE_FILE: boolean | undefined

/** Whether this agent is a single file that runs on Bun; else Node runs its bundle. */
export const isSingleFile: boolean = typeof IS_SINGLE_FILE === 'boolean'
