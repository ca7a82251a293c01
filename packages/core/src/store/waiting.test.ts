import { describe, expect, test } from 'vitest'
import { createConsole, createWorld } from '../../../../tests/support/core/store.ts'
import { alertRule, selectionInitial } from '../resources/index.ts'

const rule = (id: number, enable: boolean) => ({
  id,
  name: `rule-${id}`,
  enable,
  rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0, ignore: { '3': true } }],
  trigger_mode: 1,
  notification_group_id: 2,
  fail_trigger_tasks: [],
  recover_trigger_tasks: [],
})

async function setUp() {
  const world = createWorld()
  const { session, records, runner } = createConsole(world)
  world.route('GET profile', { id: 1, username: 'admin', role: 0 })
  world.route('GET capabilities', { name: 'quarterdeck', version: '1', capabilities: ['if-match'] })
  world.route('GET alert-rule', [rule(1, true), rule(2, true)])
  world.route('PATCH alert-rule/1', null)
  world.route('PATCH alert-rule/2', null)
  await session.start()
  await records.load('alert-rule')
  world.requests.length = 0
  const row = (id: number) => records.peek('alert-rule', id)!
  const turn = (id: number, how: 'enable' | 'disable') =>
    runner.run(alertRule.actions[how]!, [row(id)], async () => ({}))
  const sent = () => world.calls().filter((call) => call.startsWith('PATCH'))
  return { ...world, runner, records, session, row, turn, sent }
}

describe('P-22 an action that waits', () => {
  test('shows its effect at once and is sent 6 s later, not before', async () => {
    const { turn, row, sent, pass, requests, runner } = await setUp()
    const report = await turn(1, 'disable')
    expect(report).toMatchObject({ kind: 'waits', outcome: { kind: 'done', changed: [1] } })
    expect(row(1).enable).toBe(false)
    pass(5999)
    expect(sent()).toEqual([])
    expect(runner.undo$.peek()).toMatchObject({ name: 'rule-1' })
    expect(runner.activity$.peek()).toMatchObject([{ status: 'running', cli: 'qd alert-rule disable rule-1' }])
    pass(1)
    expect(runner.undo$.peek()).toBeNull()
    expect(await (report as { end: Promise<unknown> }).end).toEqual({ kind: 'sent', failed: [] })
    expect(sent()).toEqual(['PATCH alert-rule/1'])
    expect(JSON.parse(requests[0]!.body!)).toEqual({ ...rule(1, false), ...selectionInitial, id: undefined })
    expect(runner.activity$.peek()).toMatchObject([{ status: 'ok' }])
  })

  test('taken back in time: no request leaves, and everything is as it was', async () => {
    const { turn, row, requests, pass, runner } = await setUp()
    const report = await turn(1, 'disable')
    pass(5000)
    expect(await runner.undo()).toMatchObject({ kind: 'ok' })
    expect(row(1).enable).toBe(true)
    pass(60_000)
    expect(await (report as { end: Promise<unknown> }).end).toEqual({ kind: 'takenBack' })
    expect(requests).toEqual([])
    expect(runner.activity$.peek()).toEqual([])
    expect(await runner.undo()).toBeNull()
  })

  test('an answer of the server meanwhile does not show it undone', async () => {
    const { turn, row, records, runner, route } = await setUp()
    await turn(1, 'disable')
    route('GET alert-rule', [{ ...rule(1, true), name: 'renamed' }, rule(2, true)])
    await records.refresh(['alert-rule'])
    expect(row(1)).toMatchObject({ name: 'renamed', enable: false })
    await runner.undo()
    expect(row(1)).toMatchObject({ name: 'renamed', enable: true })
  })

  test('what the server refuses is shown as it was, with the error', async () => {
    const { turn, row, route, pass, runner } = await setUp()
    route('PATCH alert-rule/1', { error: 'permission denied' })
    const report = await turn(1, 'disable')
    pass(6000)
    expect(await (report as { end: Promise<unknown> }).end).toMatchObject({ kind: 'failed' })
    expect(row(1).enable).toBe(true)
    expect(runner.activity$.peek()).toMatchObject([{ status: 'failed' }])
  })

  test('another action on the same record sends it first; one on another record begins its own wait', async () => {
    const { turn, sent, row, runner } = await setUp()
    await turn(1, 'disable')
    await turn(1, 'enable')
    expect(sent()).toEqual(['PATCH alert-rule/1'])
    expect(row(1).enable).toBe(true)
    await turn(2, 'disable')
    expect(runner.undo$.peek()).toMatchObject({ name: 'rule-2' })
    await runner.waiting.flush()
    expect(sent()).toEqual(['PATCH alert-rule/1', 'PATCH alert-rule/1', 'PATCH alert-rule/2'])
  })

  test('the page is left: all that waits goes out in that very moment', async () => {
    const { turn, requests, hold, letGo, runner, row } = await setUp()
    await turn(1, 'enable')
    hold('PATCH alert-rule/1')
    hold('PATCH alert-rule/2')
    const rows = [row(1), row(2)]
    await runner.run(alertRule.actions.disable, rows, async () => ({}))
    requests.length = 0
    const left = runner.waiting.flush({ leaving: true })
    await Promise.resolve()
    await expect.poll(() => requests.length).toBe(2)
    letGo()
    await left
  })

  test('saving a form sends first what waits', async () => {
    const { turn, row, runner, requests } = await setUp()
    await turn(1, 'disable')
    const { id: _, ...input } = { ...rule(2, true), name: 'other' }
    await runner.save({ resource: alertRule, mode: 'edit', base: row(2), input })
    const patches = requests.filter(({ method }) => method === 'PATCH')
    expect(patches.map(({ url }) => url.split('/').at(-1))).toEqual(['1', '2'])
    expect(runner.undo$.peek()).toMatchObject({ name: 'other' })
  })
})

/** A server that refuses an edit of what somebody changed since, as ours does. */
async function setUpStamped() {
  const world = await setUp()
  const { route, requests, records } = world
  const rules = new Map([1, 2].map((id) => [id, { ...rule(id, true), updated_at: 'T0' }]))
  let edits = 0
  const list = () => [...rules.values()]
  for (const id of rules.keys()) {
    route(`PATCH alert-rule/${id}`, (body: object) => {
      const current = rules.get(id)!
      const stamp = requests.at(-1)!.headers['If-Match']
      if (stamp !== undefined && stamp !== current.updated_at) return { error: 'changed', code: 'conflict' }
      edits += 1
      rules.set(id, { ...current, ...body, updated_at: `T${edits}` })
      return null
    })
    route(`GET alert-rule?id=${id}`, () => [rules.get(id)])
  }
  route('GET alert-rule', list)
  await records.refresh(['alert-rule'])
  requests.length = 0
  const rename = (id: number, name: string) => rules.set(id, { ...rules.get(id)!, name, updated_at: 'other' })
  const stamps = () => requests.filter(({ method }) => method === 'PATCH').map(({ headers }) => headers['If-Match'])
  return { ...world, rules, rename, stamps }
}

describe('issue 10.16: somebody else changes it in these 6 s', () => {
  test('their change is kept, and said; the others are sent', async () => {
    const { runner, row, rules, rename, pass, stamps } = await setUpStamped()
    const report = await runner.run(alertRule.actions.disable, [row(1), row(2)], async () => ({}))
    rename(1, 'by somebody else')
    pass(6000)
    const end = await (report as { end: Promise<unknown> }).end
    expect(end).toMatchObject({ kind: 'sent', failed: [{ id: 1, error: { code: 'conflict' } }] })
    expect(stamps()).toEqual(['T0', 'T0'])
    expect(rules.get(1)).toMatchObject({ name: 'by somebody else', enable: true })
    expect(rules.get(2)).toMatchObject({ enable: false })
    expect(row(1).enable).toBe(true)
    expect(runner.activity$.peek()).toMatchObject([{ status: 'failed', error: { code: 'partial' } }])
  })

  test('also by who is quick: a switch turned twice is no conflict with oneself', async () => {
    const { turn, runner, rules } = await setUpStamped()
    await turn(1, 'disable')
    const second = await turn(1, 'enable')
    await turn(1, 'disable')
    await runner.waiting.flush()
    expect(await (second as { end: Promise<unknown> }).end).toEqual({ kind: 'sent', failed: [] })
    expect(rules.get(1)).toMatchObject({ enable: false })
    expect(runner.activity$.peek().map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
  })

  test('nor is a form that was opened while the switch waited; a change of another person between the two is', async () => {
    const { turn, row, runner, rules, rename } = await setUpStamped()
    await turn(1, 'disable')
    const base = row(1)
    const { id: _, ...input } = { ...rule(1, false), name: 'mine' }
    expect(await runner.save({ resource: alertRule, mode: 'edit', base, input })).toMatchObject({ kind: 'ok' })
    expect(rules.get(1)).toMatchObject({ name: 'mine', enable: false })
    rename(1, 'theirs')
    const again = await runner.save({ resource: alertRule, mode: 'edit', base, input })
    expect(again).toMatchObject({ kind: 'failed', error: { code: 'conflict' } })
    expect(rules.get(1)!.name).toBe('theirs')
  })

  test('a server without If-Match is read again first', async () => {
    const world = createWorld()
    const { session, records, runner } = createConsole(world)
    world.route('GET profile', { id: 1, username: 'admin', role: 0 })
    world.route('GET capabilities', { name: 'other', version: '1', capabilities: [] })
    world.route('GET alert-rule', [{ ...rule(1, true), updated_at: 'T0' }])
    world.route('GET alert-rule?id=1', [{ ...rule(1, true), updated_at: 'T1' }])
    await session.start()
    await records.load('alert-rule')
    const report = await runner.run(alertRule.actions.disable, [records.peek('alert-rule', 1)!], async () => ({}))
    world.pass(6000)
    const end = await (report as { end: Promise<unknown> }).end
    expect(end).toMatchObject({ kind: 'failed', error: { code: 'conflict' } })
    expect(world.calls().some((call) => call.startsWith('PATCH'))).toBe(false)
  })
})

describe('issue 10.3: every way to leave', () => {
  test('signing out sends first what waits', async () => {
    const { turn, route, session, sent, calls } = await setUp()
    route('POST logout', null)
    await turn(1, 'disable')
    await session.signOut()
    expect(sent()).toEqual(['PATCH alert-rule/1'])
    expect(calls().indexOf('PATCH alert-rule/1')).toBeLessThan(calls().indexOf('POST logout'))
  })

  test('a sign-in that is over fails what waits, and says so', async () => {
    const { turn, session, sent, pass } = await setUp()
    const report = await turn(1, 'disable')
    session.giveUp()
    const end = await (report as { end: Promise<unknown> }).end
    expect(end).toMatchObject({ kind: 'failed', error: { code: 'unauthorized' } })
    pass(60_000)
    expect(sent()).toEqual([])
  })
})
