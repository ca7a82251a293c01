import type { InputProps } from './input.ts'

export const machine = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

const maxRows = 10

export function rowsOf({ form, shown }: InputProps, atLeast: number): number {
  return Math.max(atLeast, Math.min(maxRows, form.text(shown.field).split('\n').length))
}
