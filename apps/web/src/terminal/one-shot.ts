export interface OneShot {
  ctrl: boolean
  alt: boolean
}

export const noneHeld: OneShot = { ctrl: false, alt: false }

/** Applies held modifiers. Only to a single character: pasted and completed words stay whole (behaviour W-17). */
export function withHeld(data: string, { ctrl, alt }: OneShot): string {
  if ([...data].length !== 1) return data
  const key = ctrl ? toControl(data) : data
  return alt ? `\u001b${key}` : key
}

function toControl(character: string): string {
  if (character === ' ') return '\0'
  if (character === '?') return '\u007f'
  const code = character.toUpperCase().charCodeAt(0)
  return code >= 64 && code <= 95 ? String.fromCharCode(code & 31) : character
}
