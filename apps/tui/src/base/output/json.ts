import { usageError } from '@qd/core/errors'

/** Control and bidi characters that JSON doesn't escape. */
export const steering = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

export function escapeJson(json: string): string {
  return json.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Undefined for a text that isn’t JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Errors: `usage` that names the file. */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw usageError('brokenFile', { path, text: thrown instanceof Error ? thrown.message : '' })
  }
}

/** Indented on a terminal, else on one line (behaviour C-07). */
export function jsonDocument(value: unknown, { isTTY }: { isTTY: boolean }): string {
  return `${escapeJson(JSON.stringify(value, null, isTTY ? 2 : undefined))}\n`
}

export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${escapeJson(JSON.stringify(value))}\n`).join('')
}
