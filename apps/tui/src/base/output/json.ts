/** Characters that steer a terminal or turn text around and that JSON does not escape by itself. */
export const steering = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** JSON text in which those characters are escaped as JSON has it, so that it still reads as the same value (behaviour T-17). */
export function escapeJson(json: string): string {
  return json.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** One JSON document, ending with a line feed: indented on a terminal, one line elsewhere (behaviour C-07). */
export function jsonDocument(value: unknown, { isTTY }: { isTTY: boolean }): string {
  return `${escapeJson(JSON.stringify(value, null, isTTY ? 2 : undefined))}\n`
}

/** One JSON value a line. */
export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${escapeJson(JSON.stringify(value))}\n`).join('')
}
