import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandWithInput, typedCommand } from './piped-input.ts'

test('a command with piped input is a here document, and shown it is what was typed', () => {
  expect(commandWithInput('wc -l', 'a\nb')).toBe("{ wc -l\n} <<'QD_STDIN'\na\nb\nQD_STDIN")
  expect(commandWithInput('cat', 'QD_STDIN\n')).toBe("{ cat\n} <<'QD_STDIN_'\nQD_STDIN\nQD_STDIN_")
  expect(typedCommand(commandWithInput('wc -l', 'a\nb'))).toBe('wc -l')
})

test('every command comes back, whatever is piped in', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '{', '}', ' ', "'", 'QD_STDIN', "} <<'QD_STDIN'") })
  fc.assert(
    fc.property(text, text, (command, input) => {
      // A command that holds such a here document itself is cut there.
      fc.pre(!command.includes("\n} <<'QD_STDIN"))
      expect(typedCommand(commandWithInput(command, input))).toBe(command)
    }),
  )
})

test.each(['wc -l', '{ wc -l', '{ a; b; }', "{ cat\n} <<'END'\nx\nEND", ''])(
  'a command without piped input is none: %j',
  (command) => expect(typedCommand(command)).toBeNull(),
)

test('a command behind the input is never left out', () => {
  const whole = commandWithInput('true', 'a')
  expect(typedCommand(`${whole}\nrm -rf /`)).toBeNull()
  expect(typedCommand(`${whole}\nx\nQD_STDIN`)).toBeNull()
  expect(typedCommand(whole)).toBe('true')
})
