import { resources } from '@qd/core/resources'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { monitoringWorld } from '../../../../../tests/support/tui/monitoring.ts'
import { runQd } from '../../../../../tests/support/tui/run.ts'
import {
  good,
  type RecordingServer,
  type Reply,
  startRecordingServer,
} from '../../../../../tests/support/tui/server.ts'
import { fuzzValues, fuzzSeed as seed } from '../../../../../tests/support/typed-texts.ts'
import type { Command } from './command.ts'
import { globalFlags } from './flags/flags.ts'
import { commandTree } from './tree.ts'

/** What no message may hold: words of a database and of the language we write in, objects without a text, stacks, and files of ours. */
const unsaid =
  /constraint|undefined|\bnull\b|\bNaN\b|\[object|^\s{4}at |node:internal|\.tsx?\b|\/(src|dist|packages|apps)\//im

/** Every command with the words that call it. */
const commands = commandTree().flatMap((entry): [string, Command][] =>
  'commands' in entry
    ? entry.commands.map((command) => [`${entry.name} ${command.name}`, command])
    : [[entry.name, entry]],
)

/** Starts an editor or goes on until it is ended. */
const endless = /^--(edit|watch|follow|wait|poll|interval)\b/

/** What is typed, also where it means nothing. */
const words = [
  ...[
    '1',
    'web-1',
    'nothing',
    '#1',
    '0',
    '-1',
    '99999999999999999999',
    '1e9',
    '1,2',
    'a:b',
    'web-1:/tmp/x',
    ':/x',
    'cpu>80',
  ],
  ...[
    '',
    ' ',
    '-',
    '--',
    '{}',
    '[]',
    '{"a":1}',
    '[[',
    '"',
    "'",
    '\\',
    '%s',
    '{{.x}}',
    '.[',
    '\u{1f600}',
    '\u202eabc',
    'a\nb',
    '\u0000',
  ],
  ...[
    'now',
    '+2h',
    '-2h',
    '2026-02-31',
    '0 0 3 * * *',
    'https://',
    'http://[',
    '999.1.1.1',
    '../..',
    '~',
    '/',
    '@',
    '@nowhere',
  ],
  ...['constructor', '__proto__', 'toString', 'x'.repeat(300)],
]

/** The answers of a server that is not what it should be, to every read. */
const odd: Readonly<Record<string, Reply>> = {
  'no data': good(null),
  'an empty list': good([]),
  'an empty record': good({}),
  'a record without values': good([{ id: 1, name: null }]),
  'a list of nothing': good([null]),
  'a number': good(7),
  'a text': good('text'),
  'a refusal without words': { body: { success: false } },
  'a failure without words': { status: 500, body: {} },
  'a failure of no kind': { status: 500, body: null },
  'a failure in parts': { status: 500, body: { error: { message: 'broken' } } },
  'problems of no kind': { status: 422, body: { error: 'refused', code: 'invalid', problems: [{}] } },
}

async function qd(url: string, args: readonly string[]) {
  return runQd({ args, env: { QD_URL: url, QD_TOKEN: 'nzp_x', LANG: 'C.UTF-8' } })
}

/** The sentences of what was written to stderr: of a failure for programs, its texts. */
function sentences(stderr: string): string {
  return stderr
    .split('\n')
    .map((line) => {
      if (!line.startsWith('{"code":')) return line
      const { message, hint } = JSON.parse(line)
      return `${message}\n${hint ?? ''}`
    })
    .join('\n')
}

/** What a line says wrongly, with the line. */
async function faults(url: string, args: readonly string[]): Promise<string[]> {
  const { stderr } = await qd(url, args)
  const said = sentences(stderr)
  return unsaid.test(said) || /\binternal\b/i.test(said) ? [`qd ${args.join(' ')}\n${said}`] : []
}

describe('issue 36.22 no message of the command line holds what is ours', () => {
  let server: RecordingServer
  beforeAll(async () => {
    const lists = Object.fromEntries(resources.map(({ wire }) => [wire.calls.list.path, good([])]))
    server = await startRecordingServer({ ...lists, ...monitoringWorld })
  })
  afterAll(() => server.close())

  test('whatever is typed', async () => {
    const found: string[] = []
    for (const [name, { flags = [] }] of commands) {
      const known = [...flags, ...globalFlags].map((flag) => /--[\w-]+/.exec(flag.flags)?.[0] ?? flag.flags)
      const typed = known.filter((flag) => !endless.test(flag) && !/^--(url|endpoint|retries)$/.test(flag))
      const word = fc.constantFrom(...words)
      const flag = fc.tuple(fc.constantFrom(...typed), word).map(([name, value]) => `${name}=${value}`)
      const lines = fc.tuple(fc.array(word, { maxLength: 2 }), fc.array(flag, { maxLength: 3 }))
      for (const [args, flags] of fc.sample(lines, { numRuns: Math.ceil(fuzzValues / 4), seed }))
        found.push(...(await faults(server.url, [...name.split(' '), ...args, ...flags, '--retries=0'])))
    }
    expect(found).toEqual([])
  })

  test.each(Object.keys(odd))('whatever a server answers: %s', async (kind) => {
    const answer = odd[kind]!
    const paths = resources.flatMap(({ wire }) => [wire.calls.list.path, `${wire.calls.list.path}/1`])
    const replies = Object.fromEntries([...paths, 'profile'].map((path) => [path, answer]))
    const strange = await startRecordingServer({ ...monitoringWorld, ...replies })
    const found: string[] = []
    for (const [name, { args = '' }] of commands) {
      const needed = args.match(/[<[]\w+/g) ?? []
      found.push(...(await faults(strange.url, [...name.split(' '), ...needed.map(() => '1'), '--retries=0'])))
    }
    await strange.close()
    expect(found).toEqual([])
  })
})
