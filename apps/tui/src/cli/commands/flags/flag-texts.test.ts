import { describe, expect, test } from 'vitest'
import { readTexts } from '../../../../../../tests/support/texts.ts'
import { createTestIo } from '../../../../../../tests/support/tui/io.ts'
import { loadTranslator } from '../../../base/language.ts'
import { runProgram } from '../../../start/program.ts'
import { helpText } from '../command.ts'
import { commandTree } from '../tree.ts'

const leaves = commandTree().flatMap((entry) =>
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
    ['server force-update', '--batch <number> number of servers at a time (default: all at once)'],
    ['server force-update', '--max-failures, --max-fail <number> maximum failed updates before the rollout stops'],
    ['nat create', '--host, --target <address> host and port as seen from the server'],
    ['setting set', '--tls [yes|no] TLS for agents'],
    ['account totp', '--code <text> the 6-digit code that the app shows now'],
    ['setting set', '--ip-change-notification-group-id <ref> notification group for address changes'],
    ['server-group create', '--servers <list> servers in the group, comma-separated'],
  ])('%s: %s', async (command, line) => {
    expect(await help(command)).toContain(line)
  })
})

describe('issue 35: help of flags and arguments', () => {
  test('begins with a small letter, except in abbreviations, and ends without a period', async () => {
    const translator = await loadTranslator('en-US')
    const wrong = leaves.flatMap(([path, { flags = [], argHelp = {} }]) =>
      [...flags, ...Object.entries(argHelp).map(([flags, help]) => ({ flags, help }))]
        .map(({ flags, help }) => [`${path} ${flags}`, helpText(translator, help)] as const)
        .filter(([, text]) => /^\p{Lu}\p{Ll}|\.$/u.test(text)),
    )
    expect(wrong).toEqual([])
  })

  test.each([
    ['waf block', '[address] [flags]', 'address IP address or range, such as 203.0.113.7'],
    ['login', '[address] [flags]', 'address server address'],
    ['help', '[words…] [flags]', 'words command or topic'],
    ['alias delete', '<name> [flags]', 'name alias'],
    ['profile rename', '<name> <new-name> [flags]', 'name saved connection'],
    ['server get', '[names…] [flags]', 'names IDs or names Flags'],
    ['server delete', '[names…] [flags]', 'names IDs or names, or one query such as cpu>90'],
  ])('%s %s says what its argument is: %s', async (command, usage, line) => {
    const text = await help(command)
    expect(text).toContain(`qd ${command} ${usage}`)
    expect(text).toContain(line)
  })

  test('every argument has a text, and every text an argument', async () => {
    const { has } = await loadTranslator('en-US')
    const named = leaves.flatMap(([path, { args = '', argHelp = {} }]) =>
      [...args.matchAll(/[\w-]+/g)].map(([name]) => [path, argHelp[name] ?? `ui.cli.args.${name}`] as const),
    )
    expect(named.filter(([, text]) => typeof text === 'string' && !has(text))).toEqual([])
    const said = new Set(named.map(([, text]) => text))
    const texts = [...readTexts('en-US').keys()].filter((key) => key.startsWith('ui.cli.args.'))
    expect(texts.filter((key) => !said.has(key))).toEqual([])
  })

  test('qd help selection is another name of qd help query', async () => {
    const page = async (topic: string) => {
      const io = createTestIo({ args: ['help', topic] })
      await runProgram(io)
      return io.written().stdout
    }
    expect(await page('query')).toContain('group:db')
    expect(await page('selection')).toBe(await page('query'))
    expect(await help('server delete')).toContain('--select <query> select records with a query')
  })
})
