/** Modes that a remote program may leave on: cursor keys, mouse, alternate screen, bracketed paste; 25 is the cursor, initially on. */
const watched = ['1', '9', '47', '1000', '1001', '1002', '1003', '1004', '1005', '1006', '1015', '1047', '1049', '2004']
const cursor = '25'
const sequence = /\u001b\[\?([0-9;]+)([hl])|\u001b([=>])/g
const longestStart = 32

export function createShellModes() {
  const on = new Set<string>()
  let isCursorHidden = false
  let hasKeypad = false
  let rest = ''
  return {
    see(output: Uint8Array) {
      const text = rest + Buffer.from(output).toString('latin1')
      for (const [, modes, end, keypad] of text.matchAll(sequence)) {
        if (keypad) hasKeypad = keypad === '='
        for (const mode of modes?.split(';') ?? []) {
          if (mode === cursor) isCursorHidden = end === 'l'
          else if (end === 'l') on.delete(mode)
          else if (watched.includes(mode)) on.add(mode)
        }
      }
      const start = text.lastIndexOf('\u001b')
      const isCut =
        start >= 0 && text.length - start < longestStart && /^\u001b(?:\[(?:\?[0-9;]*)?)?$/.test(text.slice(start))
      rest = isCut ? text.slice(start) : ''
    },
    off() {
      const modes = [...on].map((mode) => `\u001b[?${mode}l`).join('')
      const text = `${modes}${hasKeypad ? '\u001b>' : ''}${isCursorHidden ? '\u001b[?25h' : ''}\u001b[0m`
      on.clear()
      hasKeypad = false
      isCursorHidden = false
      return text
    },
  }
}
