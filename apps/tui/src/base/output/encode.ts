import { escapeJson } from './escape.ts'

/** One JSON document, ending with a line feed: indented on a terminal, one line elsewhere (behaviour C-07). */
export function jsonDocument(value: unknown, { isTTY }: { isTTY: boolean }): string {
  return `${escapeJson(JSON.stringify(value, null, isTTY ? 2 : undefined))}\n`
}

/** One JSON value a line. */
export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${escapeJson(JSON.stringify(value))}\n`).join('')
}
