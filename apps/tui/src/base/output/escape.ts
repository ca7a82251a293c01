/** Characters that steer a terminal or turn text around and that JSON does not escape by itself. */
const steering = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** JSON text in which those characters are escaped as JSON has it, so that it still reads as the same value (behaviour T-17). */
export function escapeJson(json: string): string {
  return json.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
