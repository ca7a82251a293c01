import { execFileSync } from 'node:child_process'
import { shellQuote } from '@qd/protocol/shell-quote'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cronRow, serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import { account, cron, resources, server, setting, unit } from '../resources/index.ts'
import { actionLine, appCommands, cliWords, formLine, listLine } from './index.ts'

const servers = [
  serverRow({ id: 1, name: 'web 1' }),
  serverRow({ id: 2, name: 'twin' }),
  serverRow({ id: 3, name: 'twin' }),
  serverRow({ id: 4, name: '77' }),
  serverRow({ id: 5, name: '-rf' }),
]
const tasks = [cronRow({ id: 7, name: 'nightly-backup' }), cronRow({ id: 8, name: "it's $HOME" })]
const onHost = (server_id: number) => ({ id: 90 + server_id, server_id, name: 'nginx.service' })
const view = viewOf({ server: servers, cron: tasks, unit: [onHost(1), onHost(2)] })
const [web, twin, , digits, dash] = servers

describe('copy as CLI', () => {
  test.each([
    ['one by its name', actionLine(cron.actions.run, [tasks[0]!], view), 'qd cron run nightly-backup'],
    ['a name with a blank', actionLine(server.actions.edit, [web!], view), 'qd server edit "web 1"'],
    ['a name with quotes and dollars', actionLine(cron.actions.run, [tasks[1]!], view), `qd cron run 'it'\\''s $HOME'`],
    ['a name that two have', actionLine(server.actions.edit, [twin!], view), 'qd server edit 2'],
    ['a name like an id', actionLine(server.actions.edit, [digits!], view), 'qd server edit 4'],
    ['a name like a flag', actionLine(server.actions.edit, [dash!], view), 'qd server edit 5'],
    [
      'several by their ids',
      actionLine(server.actions.delete, servers.slice(0, 2), view),
      'qd server delete --ids 1,2',
    ],
    ['none', actionLine(cron.actions.create, [], view), 'qd cron create'],
    ['opening', actionLine(server.actions.open, [twin!], view), 'qd server get 2'],
    [
      'copying a field',
      actionLine(server.actions['copy-address'], servers.slice(0, 2), view),
      'qd server ls --ids 1,2 --json address',
    ],
    ['words of decisions.md', actionLine(account.actions['sign-out'], [], view), 'qd logout'],
    ['the list', listLine(server), 'qd server ls'],
    ['a filtered list', listLine(server, ' group:web offline '), 'qd server ls --select "group:web offline"'],
    ['settings', listLine(setting), 'qd setting get'],
    ['a record of a host', actionLine(unit.actions.stop, [onHost(1)], view), 'qd unit stop "web 1/nginx.service"'],
    ['on a server whose name two have', actionLine(unit.actions.stop, [onHost(2)], view), 'qd unit stop 92'],
  ])('%s', (_name, line, wanted) => expect(line).toBe(wanted))

  test('a form: flags for what differs, in words', () => {
    const values = {
      name: 'nightly',
      task_type: 0,
      scheduler: '0 0 3 * * *',
      command: 'df -h',
      cover: 1,
      servers: [2, 1],
    }
    expect(formLine({ resource: cron, mode: 'create', base: null, values, view })).toBe(
      'qd cron create --name nightly --command "df -h" --scheduler "0 0 3 * * *" --cover all-except --servers "2, web 1"',
    )
    const base = cronRow({ id: 7, ...values })
    expect(formLine({ resource: cron, mode: 'edit', base, values: { ...values, command: '-x' }, view })).toBe(
      'qd cron edit nightly-backup --command=-x',
    )
    const hide = { ...web!, hide_for_guest: false }
    expect(
      formLine({
        resource: server,
        mode: 'edit',
        base: hide,
        values: { ...hide, hide_for_guest: true, note: '' },
        view,
      }),
    ).toBe('qd server edit "web 1" --hide-for-guest')
  })

  test('C-04 secrets are never part of a line', () => {
    const values = {
      new_username: 'root',
      original_password: 'old-secret',
      new_password: 'new-secret',
      reject_password: false,
    }
    expect(formLine({ resource: account, mode: 'edit', base: null, values, view })).toBe(
      'qd account password --new-username root',
    )
  })

  test('every action has words', () => {
    const words = resources.flatMap((resource) => Object.values(resource.actions).map(cliWords))
    expect(words.filter((word) => !/^[a-z][a-z -]*$/.test(word))).toEqual([])
  })

  test('a shell reads any word back as it was', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'grapheme' }).filter((word) => !word.includes('\0')),
          { minLength: 1, maxLength: 20 },
        ),
        (words) => {
          const line = `printf '%s\\0' ${words.map((word) => (word === '' ? '""' : shellQuote(word))).join(' ')}`
          const printed = execFileSync('sh', ['-c', line], { encoding: 'utf8' })
          expect(printed.split('\0').slice(0, -1)).toEqual(words)
        },
      ),
      { numRuns: 40 },
    )
  })
})

test('commands of the program: lists that may be read, the rest for all', () => {
  const ids = (role: number, id: number | null) =>
    appCommands({ id, username: '', role, scopes: null }).map((command) => command.id)
  expect(ids(0, 1)).toEqual(
    expect.arrayContaining(['go:server', 'go:setting', 'undo', 'theme:dark', 'language:ta-IN', 'keys']),
  )
  expect(ids(1, null)).not.toContain('go:cron')
  expect(new Set(ids(0, 1)).size).toBe(ids(0, 1).length)
})
