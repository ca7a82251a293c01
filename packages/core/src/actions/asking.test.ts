import { describe, expect, test } from 'vitest'
import { serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import type { AnyRow, Values, Viewer } from '../define/index.ts'
import { resources, server } from '../resources/index.ts'
import { askAbove, confirmLevel, confirmOf, type Question, runAction } from './index.ts'

const viewer: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const rows = Array.from({ length: 12 }, (_, index) => serverRow({ id: index + 1 }))
const view = viewOf({ server: rows })
const actions = resources.flatMap((resource) => Object.values(resource.actions).map((action) => ({ resource, action })))

describe('issue 10.19: one rule for what is asked', () => {
  test('of every action of the registry, on one, on ten and on eleven servers or records', () => {
    for (const { action } of actions.filter((one) => one.action.confirm !== 'none')) {
      const isStatedFirst = action.confirm === 'targets' && !action.final
      const few = isStatedFirst ? 'stated' : 'confirmed'
      const name = `${action.resource} ${action.name}`
      expect(
        [confirmLevel(action, 1), confirmLevel(action, askAbove), confirmLevel(action, askAbove + 1)],
        name,
      ).toEqual([few, few, 'separately'])
    }
  })

  test('what neither asks, nor has a form, nor can be undone changes nothing, or is set right by another action', () => {
    const silent = actions
      .filter(
        ({ action: { confirm, wire, waits, args } }) =>
          confirm === 'none' && !waits && args === null && wire && wire.method !== 'GET',
      )
      .map(({ action }) => `${action.resource} ${action.name}`)
    expect(silent).toMatchInlineSnapshot(`
      [
        "server shell",
        "service check",
        "run pause",
        "run resume",
        "notification test",
        "alert-rule backtest",
        "incident ack",
        "incident unsilence",
        "ddns update",
        "nat check",
        "container shell",
        "setting keep",
        "setting revert",
      ]
    `)
  })

  test('what starts a run or reaches servers says whom, and asks from eleven on', () => {
    for (const { action } of actions.filter((one) => one.action.starts === 'run' || one.action.targets)) {
      const name = `${action.resource} ${action.name}`
      expect(action.confirm, name).not.toBe('none')
      expect(confirmLevel(action, askAbove + 1), name).toBe('separately')
    }
  })

  test('what takes records away asks for one already', () => {
    for (const { action } of actions.filter((one) => one.action.tone === 'bad'))
      expect(confirmLevel(action, 1), `${action.resource} ${action.name}`).toBe('confirmed')
  })

  test('the count is that of the servers that are reached, else of the records', () => {
    const asking = (name: string, count: number) =>
      confirmOf(server.actions[name]!, server, rows.slice(0, count), { view, viewer })!.level
    expect([asking('exec', 1), asking('exec', 10), asking('exec', 11)]).toEqual(['stated', 'stated', 'separately'])
    expect([asking('force-update', 1), asking('force-update', 11)]).toEqual(['confirmed', 'separately'])
    expect([asking('move', 1), asking('move', 11), asking('delete', 1)]).toEqual([
      'confirmed',
      'separately',
      'confirmed',
    ])
  })
})

describe('a form is not yet an answer to "on all of these?"', () => {
  const typed: Values = { command: 'uptime', time_limit: 60 }
  async function exec(chosen: readonly AnyRow[], answers: readonly (Values | null)[]) {
    const asked: Question[] = []
    const begun: Values[] = []
    const sent: unknown[] = []
    const report = await runAction({
      action: server.actions.exec,
      rows: chosen,
      context: { api: { send: async ({ body }) => (sent.push(body), { run_id: 1 }) }, viewer, view },
      supports: () => true,
      async ask(question) {
        asked.push(question)
        begun.push(await question.start())
        return answers[asked.length - 1] ?? null
      },
    })
    return { steps: asked.map(({ args }) => (args ? 'form' : 'yes?')), begun, sent, kind: report.kind }
  }

  test('few servers are told beside the form', async () => {
    expect(await exec(rows.slice(0, 10), [typed])).toMatchObject({ steps: ['form'], kind: 'ok' })
  })
  test('more are asked about in a step of their own', async () => {
    expect(await exec(rows, [typed, {}])).toMatchObject({ steps: ['form', 'yes?'], kind: 'ok' })
  })
  test('a no leads back to the form with what was typed, and sends nothing', async () => {
    const { steps, begun, sent, kind } = await exec(rows, [typed, null, null])
    expect([steps, sent, kind]).toEqual([['form', 'yes?', 'form'], [], 'cancelled'])
    expect(begun[2]).toEqual(typed)
  })
})
