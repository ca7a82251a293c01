import { afterAll, beforeAll, expect, test } from 'vitest'
import { runQd } from '../../../../../tests/support/tui/run.ts'
import { good, type RecordingServer, startRecordingServer } from '../../../../../tests/support/tui/server.ts'

let server: RecordingServer
beforeAll(async () => {
  const rows = ['web-1', 'web-2', '7 up'].map((name, at) => ({ id: at + 1, name, created_at: '', updated_at: '' }))
  server = await startRecordingServer({ server: good(rows) })
})
afterAll(() => server.close())

async function named(input: string) {
  const args = ['server', 'ls', '--ids', '-', '-o', 'name']
  return runQd({ args, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x' }, input })
}

test.each<[string, string]>([
  ['1\n2\n', 'web-1 web-2'],
  ['web-1, 2', 'web-1 web-2'],
  ['{"id":1}\n{"id":2,"name":"x"}\n', 'web-1 web-2'],
  ['{"id":1}\r\n\r\n{"name":"web-2"}\r\n', 'web-1 web-2'],
  ['[{"id":1},{"id":3}]', '7 up web-1'],
  ['[1,2]', 'web-1 web-2'],
  ['["web-1",\n "7 up"]\n', '7 up web-1'],
  ['[1]\n[2]\n', 'web-1 web-2'],
  ['\ufeff{"id":1}\r\n', 'web-1'],
  ['\ufeff2\r\n', 'web-2'],
])('issue 18: `--ids -` reads %j', async (input, names) => {
  expect(await named(input)).toEqual({ code: 0, stdout: `${names.replace(/ (?!up)/g, '\n')}\n`, stderr: '' })
})

test.each<[string, number, RegExp]>([
  ['', 2, /--ids is empty; empty doesn’t mean everything/],
  ['\n \n', 2, /--ids is empty/],
  ['[]', 2, /--ids is empty/],
  ['{"id":1', 3, /nothing matches “\{"id":1”/],
  ['[[1]]', 3, /nothing matches/],
  ['{"id":null}', 3, /nothing matches/],
  ['{"id":99}\n', 3, /nothing matches “99”/],
  ['[1,null]', 3, /nothing matches/],
])('issue 18: `--ids -` refuses %j', async (input, code, said) => {
  const { stderr, ...ended } = await named(input)
  expect(ended).toEqual({ code, stdout: '' })
  expect(stderr).toMatch(said)
})

test('issue 36.19 what is printed works when pasted back: names that look like IDs, flags, or shell text', async () => {
  const titles = ['2', 'web 1', "it's", '#3', 'say "hi" $HOME', '-x', 'ünï 服务器', 'a;b|c']
  const rows = titles.map((name, at) => ({ id: at + 1, name, created_at: '', updated_at: '' }))
  const fleet = await startRecordingServer({
    server: good(rows),
    ...Object.fromEntries(rows.map((row) => [`server/${row.id}`, good(row)])),
  })
  const qd = async (args: readonly string[]) => {
    return runQd({ args, env: { QD_URL: fleet.url, QD_TOKEN: 'nzp_x' } })
  }
  const words = (line: string) =>
    [...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) => word.replace(/'([^']*)'|\\(')/g, '$1$2'))
  try {
    for (const { id, name } of rows) {
      const typed = [name, name.slice(0, -1), `${name}x`]
      for (const word of typed) {
        const ended = await qd(['server', 'delete', '--yes', '--dry-run', '--', word])
        const hint = /try: qd (.*)\n/.exec(ended.stderr)?.[1]
        if (hint === undefined || hint === 'server ls') continue
        const [entity, verb, ...rest] = words(hint)
        const again = await qd([entity!, verb!, '--yes', '--dry-run', ...rest])
        expect([id, word, hint, again.code, again.stderr]).toEqual([id, word, hint, 0, expect.any(String)])
      }
    }
  } finally {
    await fleet.close()
  }
})
