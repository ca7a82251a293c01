import type { InputProps } from './input.ts'

/** Attributes of an input for machines. */
export const machine = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** Most lines that an input grows to by itself; it can be drawn larger. */
const maxRows = 10

/** Lines of an input by what is typed in it. */
export function rowsOf({ form, shown }: InputProps, atLeast: number): number {
  return Math.max(atLeast, Math.min(maxRows, form.text(shown.field).split('\n').length))
}
