/** Modes that a program on the other side may leave on: cursor keys, mouse, alternate screen, marked pastes; 25 is the cursor, on at first. */
const watched = ['1', '9', '47', '1000', '1001', '1002', '1003', '1004', '1005', '1006', '1015', '1047', '1049', '2004']
const cursor = '25'
const sequence = /\u001b\[\?([0-9;]+)([hl])|\u001b([=>])/g
/** The longest beginning of a sequence that may be cut between two pieces of output. */
const longestStart = 32

/** Looks at a shell's output, so that its terminal can be given back as it was. */
export interface ShellModes {
  see(output: Uint8Array): void
  /** Ends what is on now; nothing if nothing is. */
  off(): string
}

/** Builds one for a terminal with every mode off. */
export function createShellModes(): ShellModes {
  const on = new Set<string>()
  let isCursorHidden = false
  let hasKeypad = false
  let rest = ''
  return {
    see(output) {
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
