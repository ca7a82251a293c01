import { splitLine } from '@qd/core/actions'
import type { View } from '@qd/core/define'
import { expect, test } from 'vitest'
import { createTestIo } from '../../../../../tests/support/tui/io.ts'
import { startRecordingServer } from '../../../../../tests/support/tui/server.ts'
import { globalFlags } from '../commands/flags/flags.ts'
import { commandTree } from '../commands/tree.ts'
import { candidatesFor, type Sources } from './candidates.ts'
import { behindBreak, escapeFor, namesView } from './run.ts'

const names: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
  server: [
    [1, 'web-1'],
    [2, 'web-2'],
    [3, 'twin'],
    [4, 'twin'],
    [5, '7'],
  ],
  'server-group': [[1, 'two words']],
}
const view: View = {
  now: 0,
  all: (of) => (names[of] ?? []).map(([id, name]) => ({ id, name })),
  find: () => undefined,
  title: (of, id) => names[of]?.find(([one]) => one === id)?.[1] ?? null,
  referring: () => [],
  trend: () => [],
}
const asked: Readonly<Record<string, string>>[] = []
const sources: Sources = {
  async view(_names, connect) {
    asked.push(connect)
    return view
  },
  profiles: () => ['prod', 'lab'],
  aliases: () => ({ busy: 'server ls --select cpu>90', on: 'server get' }),
}
const words = { tree: commandTree(), globalFlags }

/** The words offered at the end of a line; `files` where the shell is to offer its own. */
async function at(line: string): Promise<readonly string[] | 'files'> {
  const typed = splitLine(line)
  const found = await candidatesFor(words, { ...typed, words: typed.words.slice(1) }, sources)
  return found === 'files' ? found : found.map(({ word }) => word)
}

test.each<[string, readonly string[] | 'files']>([
  ['qd wh', ['whoami']],
  ['qd server mo', ['move']],
  // Issue 18: behind an alias stands what stands behind the word it means.
  ['qd servers mo', ['move']],
  ['qd tasks list --sel', ['--select']],
  ['qd bu', ['busy']],
  ['qd busy --sel', []],
  ['qd busy --js', ['--json', '--jsonl']],
  ['qd on ', ['web-1', 'web-2', '3', '4', '5']],
  ['qd alias rm ', ['busy', 'on']],
  ['qd -q server mo', ['move']],
  ['qd --profile prod server mo', ['move']],
  ['qd whoami --pro', ['--profile']],
  ['qd whoami --profile prod --pro', []],
  ['qd whoami --profile=l', ['--profile=lab']],
  ['qd server install --os ', ['linux', 'macos', 'windows']],
  ['qd server config web-1 --gpu ', ['yes', 'no', 'web-2', '3', '4', '5']],
  // One name of several records, and a name that reads as an id, are told by their ids.
  ['qd server get ', ['web-1', 'web-2', '3', '4', '5']],
  ['qd server get web-1 ', ['web-2', '3', '4', '5']],
  ['qd server delete web-1 ', ['web-2', '3', '4', '5']],
  ['qd server delete --ids web-1,w', ['web-1,web-2']],
  ['qd server delete --select onl', ['online']],
  ['qd server ls group:', ['group:"two words"']],
  ['qd server ls --sort nam', ['name']],
  ['qd server ls --json id,nam', ['id,name']],
  ['qd login --password-file ', 'files'],
  ['qd help cron ru', ['run']],
  ['qd export serv', ['server', 'service', 'server-group']],
  ['qd notification edit x --clear request-', ['request-header', 'request-body']],
  ['qd incident ls --state open,ack', ['open,acknowledged']],
  ['qd service create --select onl', ['online']],
  ['qd server history web-1 --metric cpu,mem', ['cpu,memory']],
  ['qd notification create --url-file ', 'files'],
  // Issue 10: the other names that help shows complete, values included.
  ['qd alert-rule create --tel', ['--tells']],
  ['qd incident silence 1 --fo', ['--for']],
  ['qd server force-update --max-f', ['--max-failures', '--max-fail']],
  ['qd alert-rule create --mode ', ['always', 'once']],
  ['qd completion ', ['bash', 'zsh', 'fish', 'powershell']],
  ['qd exec web-1 -- ', []],
  ['qd nosuch ', []],
])('C-25 %s', async (line, expected) => {
  expect(await at(line)).toEqual(expected)
})

test('C-25 names are those of the connection that the line names', async () => {
  asked.length = 0
  await at('qd --endpoint http://a.example --profile=lab server get ')
  expect(asked).toEqual([{ '--endpoint': 'http://a.example', '--profile': 'lab' }])
})

test('C-25 Tab waits 100 ms at most for a server that does not answer, and has the names fetched behind it', async () => {
  const silent = await startRecordingServer({ server: null })
  const io = createTestIo({ env: { QD_URL: silent.url, QD_TOKEN: 'nzp_x' } })
  io.setTimer = (run, ms) => {
    if (ms <= 100) queueMicrotask(run)
    return () => undefined
  }
  expect((await namesView(io, ['server'], {})).all('server')).toEqual([])
  expect(io.behind).toEqual([['__complete', 'refresh', 'server']])
  await silent.close()
})

test('C-25 a line is split and words are written as bash has them', () => {
  expect(splitLine(`qd server get 'two w`)).toEqual({ words: ['qd', 'server', 'get'], current: 'two w', quote: "'" })
  expect(splitLine('qd a\\ b "c d" ')).toEqual({ words: ['qd', 'a b', 'c d'], current: '', quote: '' })
  expect(escapeFor('', `it's (1)`)).toBe(`it\\'s\\ \\(1\\)`)
  expect(escapeFor("'", `it's`)).toBe(`it'\\''s`)
  expect(escapeFor('"', 'a"$b')).toBe('a\\"\\$b')
  expect(behindBreak(splitLine('qd server ls group:we'), 'group:web')).toBe('web')
  expect(behindBreak(splitLine(`qd server ls 'group:we`), 'group:web')).toBe('group:web')
})
