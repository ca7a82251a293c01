import { resources } from '@qd/core/resources'
import { isEmptySelection, parseSelection } from '@qd/core/targets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runQd } from '../../../../../../tests/support/tui/run.ts'
import { good, type RecordingServer, startRecordingServer } from '../../../../../../tests/support/tui/server.ts'
import type { Command } from '../command.ts'
import { commandTree } from '../tree.ts'

const one = { id: 1, name: 'one' }
const servers = [
  { id: 1, name: 'web-1' },
  { id: 2, name: 'web-2' },
]
let server: RecordingServer

beforeAll(async () => {
  const lists = Object.fromEntries(resources.map(({ wire }) => [wire.calls.list.path, good([{ ...one, group: one }])]))
  const features = resources.flatMap(({ actions }) =>
    Object.values(actions).flatMap(({ capability }) => capability ?? []),
  )
  const capabilities = good({ capabilities: [...new Set(features), 'history'] })
  server = await startRecordingServer({ ...lists, server: good(servers), capabilities, profile: good({ id: 1 }) })
})
afterAll(() => server.close())

async function qd(args: readonly string[], input = '') {
  return runQd({ args, input, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x', LANG: 'C.UTF-8' } })
}

/** Every command with the words that call it. */
const commands = commandTree().flatMap((entry): [string, Command][] =>
  'commands' in entry
    ? entry.commands.map((command) => [`${entry.name} ${command.name}`, command])
    : [[entry.name, entry]],
)
const withFlag = (flag: string) =>
  commands.filter(([, { flags = [] }]) => flags.some((one) => one.flags.startsWith(`${flag} `)))
const blanks = ['', ' ', '\t\n', '""', '" "', '()', 'and', 'and and', '(and)', '!""']

describe('issue 10.17: an empty selection is not everything', () => {
  test.each(blanks)('%j names nothing', (text) => {
    for (const resource of resources) {
      const parsed = parseSelection(resource, text)
      expect(!parsed.ok || isEmptySelection(parsed.selection), resource.name).toBe(true)
    }
  })

  test.each(withFlag('--select').map(([words]) => words))('qd %s --select', async (words) => {
    for (const text of blanks) {
      const { code, stdout, stderr } = await qd(
        [...wordsOf(words), '--select', text, '--yes', '--', 'true'].filter(isTaken(words)),
      )
      expect([code, stdout], `${JSON.stringify(text)}: ${stderr}`).toEqual([2, ''])
    }
    const { stderr } = await qd([...wordsOf(words), '--select', '', '--yes'].filter(isTaken(words)))
    expect(stderr).toContain('--select is empty; empty doesn’t mean everything')
    if (withFlag('--all').some(([known]) => known === words)) expect(stderr).toContain('--all')
  })

  test.each(withFlag('--ids').map(([words]) => words))('qd %s --ids', async (words) => {
    for (const text of ['', ' ', ',', ' , ', '-']) {
      const { code, stdout, stderr } = await qd(
        [...wordsOf(words), '--ids', text, '--yes'].filter(isTaken(words)),
        ' \n',
      )
      expect([code, stdout], `${JSON.stringify(text)}: ${stderr}`).toEqual([2, ''])
      expect(stderr).toContain('--ids is empty')
    }
  })

  test.each(commands.filter(([, { args }]) => args?.includes('name')).map(([words]) => words))(
    "qd %s ''",
    async (words) => {
      if (words.startsWith('profile')) return
      for (const text of ['', ' ']) {
        const { code, stdout, stderr } = await qd([...words.split(' '), text, '--yes'].filter(isTaken(words)))
        expect([code, stdout], stderr).toEqual([2, ''])
      }
    },
  )

  test.each(
    commands.flatMap(([words, { flags = [] }]) =>
      flags
        .filter(
          ({ flags: written, values }) => values?.kind === 'records' && values.many && !written.startsWith('--ids'),
        )
        .map(({ flags: written }) => `${words} ${written.split(' ')[0]}`),
    ),
  )("qd %s ''", async (line) => {
    const { code, stderr } = await qd([...line.split(' '), ''])
    expect([code, stderr]).toEqual([2, expect.stringContaining('is empty; use none for an empty list')])
  })

  test('nothing was sent by any of them', () => expect(server.changes).toEqual([]))

  /** The words of a command, with a record to change where it takes one. */
  function wordsOf(words: string): string[] {
    const { args } = commands.find(([known]) => known === words)![1]
    const needed = args?.match(/<\w+>/g) ?? []
    return [...words.split(' '), ...(args === '[name]' ? ['1'] : []), ...needed.map(() => ':/etc/app.conf')]
  }

  /** Leaves out what a command has no flag for. */
  function isTaken(words: string) {
    const { flags = [] } = commands.find(([known]) => known === words)![1]
    const tail = words === 'exec'
    return (word: string, index: number, all: readonly string[]) => {
      if (word === '--yes') return flags.some((one) => one.flags.includes('--yes'))
      return all.indexOf('--') < 0 || index < all.indexOf('--') || tail
    }
  }
})
