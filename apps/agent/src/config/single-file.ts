declare const IS_SINGLE_FILE: boolean | undefined

export const isSingleFile: boolean = typeof IS_SINGLE_FILE === 'boolean'
