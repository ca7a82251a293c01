import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runQd } from '../../../../../tests/support/tui/run.ts'
import { good, startRecordingServer } from '../../../../../tests/support/tui/server.ts'

const home = () => mkdtempSync(join(tmpdir(), 'qd-alias-'))
const configOf = (folder: string) => join(folder, '.config/quarterdeck/config.json')

async function qd(folder: string, args: readonly string[], env: Record<string, string> = {}) {
  return runQd({ home: folder, args, env })
}

test('issue 18: an alias is set, listed, changed and deleted, in the file of the user alone', async () => {
  const folder = home()
  const first = await qd(folder, ['alias', 'set', 'busy', "qd server ls --select 'cpu>90'", '--json'])
  expect(first).toMatchObject({ code: 0, stderr: "Saved alias busy: server ls --select 'cpu>90'\n" })
  expect(JSON.parse(first.stdout)).toEqual({ name: 'busy', words: "server ls --select 'cpu>90'" })
  expect(statSync(configOf(folder)).mode & 0o777).toBe(0o600)
  await qd(folder, ['alias', 'set', 'all', 'tasks list'])
  expect((await qd(folder, ['alias', 'list'])).stdout).toBe(
    "NAME  WORDS\nall   tasks list\nbusy  server ls --select 'cpu>90'\n",
  )
  await qd(folder, ['alias', 'set', 'busy', 'server ls'])
  expect(JSON.parse((await qd(folder, ['alias', 'ls', '--json'])).stdout)).toEqual([
    { name: 'all', words: 'tasks list' },
    { name: 'busy', words: 'server ls' },
  ])
  expect(await qd(folder, ['alias', 'rm', 'busy'])).toEqual({ code: 0, stdout: '', stderr: 'Deleted alias busy\n' })
  expect((await qd(folder, ['-q', 'alias', 'set', 'busy', 'server ls'])).stderr).toBe('')
  await qd(folder, ['alias', 'rm', 'busy'])
  const gone = await qd(folder, ['alias', 'rm', 'al'])
  expect(gone.code).toBe(3)
  expect(gone.stderr).toMatch(/nothing matches “al”[\s\S]*qd alias ls/)
  expect((await qd(folder, ['alias', 'ls', '--jq', '.[].name'])).stdout).toBe('all\n')
})

test.each([
  [['server', 'cron ls'], /server is already taken/],
  [['servers', 'cron ls'], /servers is already taken/],
  [['ssh', 'cron ls'], /ssh is already taken/],
  [['alias', 'cron ls'], /alias is already taken/],
  [['quit', 'cron ls'], /quit is already taken/],
  [['-x', 'cron ls'], /unknown flag -x/],
  [['', 'cron ls'], /invalid alias name/],
  [['a b', 'cron ls'], /invalid alias name a b/],
  [['__proto__', 'cron ls'], /invalid alias name/],
  [['x'.repeat(33), 'cron ls'], /32 characters at most/],
  [['x', ''], /“” doesn’t start with a qd command/],
  [['x', 'uptime'], /“uptime” doesn’t start with a qd command/],
  [['x', '--quiet'], /missing argument: words/],
  [['x', ' -q --profile prod'], /doesn’t start with a qd command/],
  [['x', 'x ls'], /doesn’t start with a qd command/],
  [['x', "server ls 'cpu"], /unclosed quote/],
  [['x', `exec web-1 -- ${'x'.repeat(1000)}`], /the limit is 1,000 characters/],
  [['x'], /missing argument: words/],
  [['x', 'cron', 'ls'], /unexpected argument: ls/],
])('issue 18: `qd alias set` refuses %j, says what to do and keeps nothing', async (words, said) => {
  const folder = home()
  const { code, stderr, stdout } = await qd(folder, ['alias', 'set', ...words])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(said)
  expect(stderr).toMatch(/qd /)
  expect(existsSync(configOf(folder))).toBe(false)
})

test('issue 18: an alias runs its words with what is typed behind it, `$1` where it says; a command is never hidden', async () => {
  const folder = home()
  const rows = ['web-1', 'web-2'].map((name, at) => ({ id: at + 1, name, created_at: '', updated_at: '' }))
  const server = await startRecordingServer({ server: good(rows), cron: good([]) })
  const env = { QD_URL: server.url, QD_TOKEN: 'nzp_x' }
  try {
    await qd(folder, ['alias', 'set', 'ids', 'servers list --json id'])
    await qd(folder, ['alias', 'set', 'one', 'server get $1 --json name'])
    await qd(folder, ['alias', 'set', 'two', "server ls --select 'name:$2 name:$1' --json name"])
    expect(JSON.parse((await qd(folder, ['ids', '--select', 'web-2'], env)).stdout)).toEqual([{ id: 2 }])
    expect(JSON.parse((await qd(folder, ['-q', 'one', 'web-1'], env)).stdout)).toMatchObject({ name: 'web-1' })
    expect(JSON.parse((await qd(folder, ['two', '1', 'web'], env)).stdout)).toEqual([{ name: 'web-1' }])
    expect((await qd(folder, ['one'], env)).stderr).toMatch(/missing argument: \$1[\s\S]*qd alias ls/)
    expect((await qd(folder, ['help', 'ids'], env)).stdout).toMatch(/qd server ls/)
    // What a later version of qd has as a command is that command, whatever the file says.
    const path = configOf(folder)
    const config = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...config, aliases: { cron: 'server ls', tasks: 'server ls' } }))
    expect((await qd(folder, ['cron', 'ls', '--json'], env)).stdout).toBe('[]\n')
    expect((await qd(folder, ['tasks', 'ls', '--json'], env)).stdout).toBe('[]\n')
    writeFileSync(path, '{"aliases":{"x":1}}')
    expect((await qd(folder, ['x'], env)).stderr).toMatch(/can’t parse .*config\.json: aliases\.x/)
  } finally {
    await server.close()
  }
})
