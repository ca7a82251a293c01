import { cron, notification, setting } from '@qd/core/resources'
import { describe, expect, test } from 'vitest'
import { changesOf, namesOf } from './audit.ts'

const task = { id: 7, name: 'clean', command: 'true', servers: [1, 2], last_result: false }
const of = (before: object[], after: object[]) => changesOf(cron, before as never, after as never)

describe('R-11: what an entry of the audit log says', () => {
  test.each<[string, object[], object[], unknown[]]>([
    ['nothing changed', [task], [{ ...task }], []],
    ['a text', [task], [{ ...task, command: 'false' }], [['command', 'true', 'false']]],
    ['a list', [task], [{ ...task, servers: [2] }], [['servers', [1, 2], [2]]]],
    ['what only the server writes', [task], [{ ...task, last_result: true }], []],
    ['an empty field that came', [task], [{ ...task, task_type: 0 }], []],
    ['a new one', [], [{ id: 7, name: 'clean' }], [['name', null, 'clean']]],
    ['a deleted one', [{ id: 7, name: 'clean' }], [], [['name', 'clean', null]]],
    ['a long text', [task], [{ ...task, command: 'x'.repeat(501) }], [['command', 'true', `${'x'.repeat(500)}…`]]],
  ])('%s', (_what, before, after, said) =>
    expect(of(before, after).map(({ field, before: old, after: now }) => [field, old, now])).toEqual(said),
  )

  test('of a secret that it changed', () => {
    const [before, after] = ['a', 'b'].map((host) => ({ id: 1, name: 'hook', url: `https://${host}/token` }))
    expect(changesOf(notification, [before!], [after!])).toEqual([
      { id: 1, name: 'hook', field: 'url', before: '***', after: '***' },
    ])
  })

  test('a thousand records give a hundred lines, each with its name', () => {
    const many = Array.from({ length: 1000 }, (_, id) => ({ id, name: `t${id}` }))
    const changes = changesOf(cron, many as never, [])
    expect(changes).toHaveLength(100)
    expect(changes[99]).toMatchObject({ id: 99, name: 't99' })
    expect(namesOf(setting, [{ id: 1, site_name: 'Bridge' }])).toBe('Bridge')
  })
})
