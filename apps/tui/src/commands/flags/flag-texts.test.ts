import { describe, expect, test } from 'vitest'
import { runProgram } from '../../program.ts'
import { createTestIo } from '../../test-io.ts'
import { loadTranslator } from '../../texts.ts'
import { helpText } from '../command.ts'
import { commandTree } from '../tree.ts'

const leaves = commandTree(async () => undefined).flatMap((entry) =>
  'commands' in entry
    ? entry.commands.map((command) => [`${entry.name} ${command.name}`, command] as const)
    : [[entry.name, entry] as const],
)

/** The help of a command, its lines joined, so that a text is found where the width broke it. */
async function help(words: string): Promise<string> {
  const io = createTestIo({ args: [...words.split(' '), '--help'] })
  await runProgram(io)
  return io.written().stdout.replaceAll(/\s+/g, ' ')
}

describe('issue 10: a flag is explained out of its form', () => {
  test('one that names other records, times or conditions says what it does, never only a noun', async () => {
    const translator = await loadTranslator('en-US')
    const bare = leaves.flatMap(([path, { flags = [] }]) =>
      flags
        .filter(({ flags: text }) => /<(ref|list|time|duration|instant|rules)>/.test(text))
        .map((flag) => `${path} ${flag.flags}: ${helpText(translator, flag.help)}`)
        .filter((line) => line.split(': ')[1]!.split(' ').length < 3),
    )
    expect(bare).toEqual([])
  })

  test.each([
    ['alert-rule create', '--notification-group-id, --tells <ref> notification group to notify'],
    ['incident silence', '--duration, --for <duration> how long, such as 30m, 2h, or 1d'],
    ['server force-update', '--max-failures, --max-fail <number> Maximum failures'],
    ['setting set', '--ip-change-notification-group-id <ref> notification group for address changes'],
    ['server-group create', '--servers <list> servers in the group, comma-separated'],
  ])('%s: %s', async (command, line) => {
    expect(await help(command)).toContain(line)
  })
})
