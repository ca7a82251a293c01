import { describe, expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import type { AnyRow, Call, Values, Viewer } from '../define/index.ts'
import { AppError } from '../errors.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { alertRule, incident, server } from '../resources/index.ts'
import { actionState, bucketTexts, confirmOf, doneText, failureTexts, partlyDone, runAction } from './index.ts'

const viewer: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const rowOf = (id: number, state: string): AnyRow => incident.read.parse({ id, name: `incident ${id}`, state })
const rows = [rowOf(1, 'open'), rowOf(2, 'closed'), rowOf(3, 'open'), rowOf(4, 'open')]
const view = viewOf({ incident: rows })
const ack = incident.actions.ack

function attempt(more: { rows?: AnyRow[]; failFast?: boolean; fails?: (call: Call) => AppError | null } = {}) {
  const calls: string[] = []
  const told: string[] = []
  const asked: (readonly AnyRow[])[] = []
  const api = {
    async send(call: Call) {
      calls.push(call.path)
      const error = more.fails?.(call)
      if (error) throw error
      return null
    },
  }
  const report = runAction({
    action: ack,
    rows: more.rows ?? rows,
    context: { api, viewer, view },
    supports: () => true,
    failFast: more.failFast ?? false,
    onFailed: ({ id, error }) => told.push(`${id} ${error.code} after ${calls.length}`),
    ask: async (question): Promise<Values> => {
      asked.push(question.rows)
      return {}
    },
  })
  return { calls, asked, told, report }
}

describe('issue 10.23: results per record', () => {
  test('one that is blocked does not stand in the way of the others, and is named with its reason', async () => {
    const { calls, report } = attempt()
    expect(await report).toMatchObject({
      kind: 'ok',
      outcome: { kind: 'done', changed: [1, 3, 4], failed: [{ id: 2, error: { code: 'blocked' } }] },
    })
    expect(calls).toEqual(['incident/1/ack', 'incident/3/ack', 'incident/4/ack'])
  })

  test('one that fails does not stop the others', async () => {
    const fails = ({ path }: Call) => (path === 'incident/3/ack' ? new AppError('notFound', { id: 3 }) : null)
    const { calls, report } = attempt({ fails })
    const done = await report
    expect(done).toMatchObject({
      outcome: { changed: [1, 4], failed: [{ id: 2 }, { id: 3, error: { code: 'notFound' } }] },
    })
    expect(calls).toHaveLength(3)
    expect(done.kind === 'ok' && partlyDone(done.outcome)).toEqual({ done: 2, total: 4 })
  })

  test('where the first failure is to stop it, the rest is left alone', async () => {
    const { calls, report } = attempt({ failFast: true, fails: () => new AppError('timeout', { seconds: 12 }) })
    expect(await report).toMatchObject({ outcome: { changed: [], failed: [{ id: 1 }] } })
    expect(calls).toEqual(['incident/1/ack'])
  })

  test('a refused one is a failure too: the first stops it', async () => {
    const second = attempt({ failFast: true })
    expect(await second.report).toMatchObject({ outcome: { changed: [1], failed: [{ id: 2 }] } })
    expect(second.calls).toEqual(['incident/1/ack'])
    const first = attempt({ failFast: true, rows: [rows[1]!, rows[2]!, rows[3]!] })
    expect(await first.report).toMatchObject({ outcome: { changed: [], failed: [{ id: 2 }] } })
    expect(first.calls).toEqual([])
  })

  test('each failure is told once, when it happens', async () => {
    const fails = ({ path }: Call) => (path === 'incident/3/ack' ? new AppError('notFound', { id: 3 }) : null)
    const { told, report } = attempt({ fails })
    await report
    expect(told).toEqual(['2 blocked after 1', '3 notFound after 2'])
  })

  test('the password that is not given once more is not asked for with each record', async () => {
    const { calls } = attempt({ fails: () => new AppError('cancelled') })
    await expect.poll(() => calls.length).toBe(1)
  })

  test('only where all are blocked it cannot be used', () => {
    const surroundings = { viewer, view, supports: () => true }
    expect(actionState(ack, rows, surroundings).reason).toBeNull()
    expect(actionState(ack, [rows[1]!], surroundings).reason).toEqual({ key: 'resources.incident.reasons.isClosed' })
    expect(actionState(ack, [rows[1]!, rowOf(5, 'acknowledged')], surroundings).reason).toEqual({
      key: 'resources.incident.reasons.isClosed',
    })
  })

  test('a confirm names what it will do it to, and what is left out', () => {
    const confirm = confirmOf({ ...ack, confirm: 'ask' }, incident, rows, { view, viewer })!
    expect([confirm.objects.map(({ id }) => id), confirm.left.map(({ id }) => id)]).toEqual([[1, 3, 4], [2]])
  })

  test('a batch call leaves out what is blocked', async () => {
    const bodies: unknown[] = []
    const action = {
      ...ack,
      run: async (_: unknown, ready: readonly AnyRow[]) => {
        bodies.push(ready.map(({ id }) => id))
        return { kind: 'done', changed: [1, 3, 4] } as const
      },
      wire: { method: 'POST', path: 'batch-ack/incident' },
    } as typeof ack
    const context = { api: { send: async () => null }, viewer, view }
    const told: number[] = []
    const onFailed = ({ id }: { id: number }) => told.push(id)
    await runAction({ action, rows, context, supports: () => true, ask: async () => ({}), onFailed })
    expect(bodies).toEqual([[1, 3, 4]])
    expect(told).toEqual([2])
  })

  test('why they were refused is said once per reason, with the names', async () => {
    const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
    const format = createFormat({ translator })
    const reasons = failureTexts(
      [
        { id: 2, error: new AppError('blocked', { resource: 'incident', reason: 'isClosed' }) },
        { id: 3, error: new AppError('blocked', { resource: 'incident', reason: 'isClosed' }) },
        { id: 4, error: new AppError('failed', { text: 'database error' }) },
        ...Array.from({ length: 7 }, (_, index) => ({ id: index + 10, error: new AppError('forbidden') })),
      ],
      { translator, format, nameOf: (id) => `#${id}` },
    )
    expect(reasons).toEqual([
      `#2, #3: ${translator.t('resources.incident.reasons.isClosed')}`,
      '#4: database error',
      `#10, #11, #12, #13, #14, +2 more: ${translator.t('errors.forbidden')}`,
    ])
  })

  test('a fan-out says who got it, where it failed and who is not connected', async () => {
    const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
    const about = { translator, format: createFormat({ translator }), nameOf: (id: number) => `#${id}` }
    const buckets = { success: [1, 2, 3, 4, 5, 6], offline: [7], failure: [8] }
    const missed = ['Failed: #8', 'Offline: #7']
    expect(bucketTexts(buckets, about)).toEqual({ all: ['Sent to #1, #2, #3, #4, #5, +1 more', ...missed], missed })
    expect(bucketTexts(undefined, about)).toEqual({ all: [], missed: [] })
  })

  test('an action sees the derived values of its rows: the address that is copied is one', async () => {
    const row: AnyRow = server.read.parse({ id: 1, name: 'web-1', geoip: { ip: { ipv4_addr: '192.0.2.1' } } })
    const context = { api: { send: async () => null }, viewer, view: viewOf({ server: [row] }) }
    const report = await runAction({
      action: server.actions['copy-address'],
      rows: [row],
      context,
      supports: () => true,
      ask: async () => ({}),
    })
    expect(report).toMatchObject({ outcome: { kind: 'copy', text: '192.0.2.1' } })
  })

  test('rules that are on already do not keep the others from being turned on', () => {
    const rule = (id: number, enable: boolean): AnyRow =>
      alertRule.read.parse({ id, name: `rule ${id}`, enable, rules: [] })
    const both = [rule(1, true), rule(2, false)]
    const state = actionState(alertRule.actions.enable, both, { viewer, view: viewOf({}), supports: () => true })
    expect(state.reason).toBeNull()
  })
})

test('what was done to no record is the action alone', async () => {
  const english = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
  expect(doneText(english, { action: 'Block an address', names: '' })).toBe('Block an address')
  expect(doneText(english, { action: 'Unblock', names: '203.0.113.7' })).toBe('Unblock: 203.0.113.7')
})
