import { ServiceStatus, serviceStatusOf } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { decide, type Effect, emptyState, type MonitorRules, type MonitorState, type ProbeResult } from './decide.ts'
import { addToRounds } from './window.ts'

const start = Date.parse('2026-11-20T12:00:00Z')
const everyMs = 30_000

const rules: MonitorRules = {
  id: 7,
  name: 'shop',
  duration: 30,
  notify: true,
  latency_notify: false,
  min_latency: 0,
  max_latency: 0,
  enable_trigger_task: true,
  fail_trigger_tasks: [1],
  recover_trigger_tasks: [2],
}

const result: ProbeResult = {
  at: start,
  serverId: 1,
  serverName: 'web-1',
  ok: true,
  delay: 12.5,
  data: '',
  countedIn: null,
  awaited: 0,
  failed: null,
}

/** Feeds one result a round: `+` success, `-` failure. Returns the state and what each result led to. */
function play(marks: string, { state = emptyState(start), from = 0, changes = {} as Partial<MonitorRules> } = {}) {
  const steps: (readonly Effect[])[] = []
  let countedIn: number | null = null
  for (const [index, mark] of [...marks].entries()) {
    const ok = mark === '+'
    const verdict = decide(
      state,
      { ...rules, ...changes },
      {
        ...result,
        at: start + (from + index) * everyMs,
        ok,
        delay: ok ? 12.5 : 0,
        data: ok ? '' : 'refused',
        countedIn,
      },
    )
    state = verdict.state
    countedIn = verdict.countedIn
    steps.push(verdict.effects)
  }
  return { state, steps, last: steps.at(-1)! }
}

const kinds = (effects: readonly Effect[]) => effects.map(({ kind }) => kind)

test.each([
  [0, 0, 'noData'],
  [0, 1, 'down'],
  [80, 20, 'down'],
  [81, 19, 'low'],
  [95, 5, 'low'],
  [96, 4, 'good'],
  [29, 1, 'good'],
  [28, 2, 'low'],
  [24, 6, 'down'],
  [1, 0, 'good'],
] as const)('%i successes and %i failures are %s', (up, down, status) => {
  expect(serviceStatusOf({ up, down })).toBe(ServiceStatus[status])
})

test('the window slides: thirty rounds, the oldest leaves (Q10)', () => {
  const { state } = play(`-${'+'.repeat(30)}`)
  expect(state.rounds).toHaveLength(30)
  expect(state.status).toBe(ServiceStatus.good)
  expect(state.rounds[0]!.at).toBe(start + everyMs)
})

test('a reporter counts once a round, however often it is asked', () => {
  let { state, countedIn } = decide(emptyState(start), rules, result)
  for (const at of [2_000, 4_000, 24_000])
    ({ state, countedIn } = decide(state, rules, { ...result, at: start + at, ok: false, countedIn }))
  expect(state.rounds).toEqual([{ at: start, up: 1, down: 0 }])
  ;({ state } = decide(state, rules, { ...result, at: start + 26_000, ok: false, countedIn }))
  expect(state.rounds).toHaveLength(2)
})

test('results of several reporters are one round, weighed by their number', () => {
  let state = emptyState(start)
  for (const serverId of [1, 2, 3, 4])
    ({ state } = decide(state, rules, { ...result, serverId, at: start + serverId * 100, ok: serverId !== 4 }))
  expect(state.rounds).toEqual([{ at: start + 100, up: 3, down: 1 }])
  expect(state.status).toBe(ServiceStatus.down)
})

test('a new monitor is not judged by the quickest refusal alone', () => {
  let { state, effects } = decide(emptyState(start), rules, { ...result, ok: false, awaited: 24 })
  expect([state.status, effects]).toEqual([ServiceStatus.unset, []])
  for (let serverId = 2; serverId <= 25; serverId += 1)
    ({ state, effects } = decide(state, rules, { ...result, serverId, at: start + 50, awaited: 25 - serverId }))
  expect([state.status, effects]).toEqual([ServiceStatus.good, []])
})

test('where some never answer, the second round judges', () => {
  let { state } = decide(emptyState(start), rules, { ...result, awaited: 3 })
  ;({ state } = decide(state, rules, { ...result, at: start + everyMs, countedIn: start, awaited: 6 }))
  expect(state.status).toBe(ServiceStatus.good)
})

test('a new monitor that works says nothing and runs nothing', () => {
  expect(play('+').steps).toEqual([[]])
})

test('a new monitor that fails is Down, told at once, without tasks (Q8)', () => {
  const { state, last } = play('-')
  expect(state.status).toBe(ServiceStatus.down)
  expect(last).toEqual([
    {
      kind: 'failing',
      message: '[Down] shop Reporter: web-1, Error: refused',
      mute: 'monitor state 7',
      notify: true,
      tasks: [],
    },
  ])
})

test('every change is told at once, tasks run when Good is left and reached, once (Q6)', () => {
  const good = play('+'.repeat(30)).state
  const falling = play('-'.repeat(7), { state: good, from: 30 })
  expect(falling.steps.map(kinds)).toEqual([[], ['lift', 'failing'], [], [], [], ['lift', 'failing'], ['failing']])
  const failures = falling.steps.flat().flatMap((effect) => (effect.kind === 'failing' ? effect : []))
  expect(failures.map(({ message, tasks }) => [message.split(' ', 1)[0], tasks])).toEqual([
    ['[Low', [1]],
    ['[Down]', []],
    ['[Down]', []],
  ])
  const rising = play('+'.repeat(30), { state: falling.state, from: 37 })
  expect(rising.state.status).toBe(ServiceStatus.good)
  const recovered = rising.steps.flat().filter((effect) => effect.kind === 'recovered')
  expect(recovered).toEqual([
    {
      kind: 'recovered',
      message: '[Good] shop Reporter: web-1, Error: ',
      mute: 'monitor state 7',
      notify: true,
      tasks: [2],
    },
  ])
})

test('a lasting Down is repeated once a round, not with every result', () => {
  const { state } = play('-')
  const same = decide(state, rules, { ...result, ok: false, serverId: 2, at: start + 100 })
  expect(same.effects).toEqual([])
  expect(kinds(decide(state, rules, { ...result, ok: false, at: start + everyMs, countedIn: start }).effects)).toEqual([
    'failing',
  ])
})

test('notify off still records, tasks off run nothing', () => {
  const { last } = play('+-', { changes: { notify: false, enable_trigger_task: false } })
  expect(last.at(-1)).toMatchObject({ kind: 'failing', notify: false, tasks: [] })
})

test('a stored status that is unchanged after a restart says nothing (Q12)', () => {
  const { state } = play('+'.repeat(5))
  const restored: MonitorState = { ...emptyState(start), status: state.status, rounds: state.rounds }
  expect(play('+', { state: restored, from: 8 }).steps).toEqual([[]])
})

test('what was long before a silence counts no more', () => {
  const rounds = play('+'.repeat(30)).state.rounds
  const at = start + 86_400_000
  expect(addToRounds(rounds, { at, ok: false, everyMs })).toEqual([{ at, up: 0, down: 1 }])
})

test('a clock that was set back begins a new round, and counting goes on', () => {
  const first = decide(emptyState(start), rules, result)
  const back = decide(first.state, rules, { ...result, at: start - 3_600_000, countedIn: first.countedIn })
  const next = decide(back.state, rules, { ...result, at: start - 3_600_000 + everyMs, countedIn: back.countedIn })
  expect(next.state.rounds).toHaveLength(3)
})

const latency = { ...rules, latency_notify: true, min_latency: 10, max_latency: 100 }

test.each([
  [128.5, '[Latency] shop 128.500000 > 100.000000, Reporter: web-1', 'monitor slow 7'],
  [2, '[Latency] shop 2.000000 < 10.000000, Reporter: web-1', 'monitor fast 7'],
])('a delay of %d ms is beyond the limits', (delay, message, mute) => {
  expect(decide(emptyState(start), latency, { ...result, delay }).effects).toEqual([{ kind: 'notice', message, mute }])
})

test('a delay within the limits lifts the mute, when no other reporter is beyond them', () => {
  let { state, effects } = decide(emptyState(start), latency, { ...result, delay: 200 })
  ;({ state } = decide(state, latency, { ...result, serverId: 2, delay: 200 }))
  ;({ state, effects } = decide(state, latency, { ...result, delay: 50 }))
  expect(effects).toEqual([])
  ;({ effects } = decide(state, latency, { ...result, serverId: 2, delay: 50 }))
  expect(effects).toEqual([{ kind: 'lift', mute: 'monitor slow 7' }])
})

test('an upper limit of 0 is none (Q11), a failure has no delay, latency_notify off says nothing', () => {
  const silent = [
    decide(emptyState(start), { ...latency, max_latency: 0 }, { ...result, delay: 5_000 }),
    decide(play('+').state, latency, { ...result, ok: false, delay: 0, countedIn: start }),
    decide(emptyState(start), { ...latency, latency_notify: false }, { ...result, delay: 5_000 }),
  ]
  expect(silent.flatMap(({ effects }) => effects)).toEqual([])
})

const ends = (day: string) => `${day} 12:00:00 +0000 UTC`

test('a certificate that ends within seven days is told, one that lasts is not', () => {
  const soon = decide(emptyState(start), rules, { ...result, data: `R11|${ends('2026-11-25')}` })
  expect(soon.effects).toEqual([
    { kind: 'lift', mute: 'monitor certificate 7' },
    {
      kind: 'notice',
      message: '[TLS] shop The TLS certificate will expire within seven days. Expiration time: 2026-11-25 12:00:00',
      mute: 'monitor certificate 7 ends 2026-11-25 12:00:00',
    },
  ])
  expect(kinds(decide(emptyState(start), rules, { ...result, data: `R11|${ends('2027-02-01')}` }).effects)).toEqual([
    'lift',
  ])
})

test('a certificate is seen although another reporter failed first', () => {
  let { state } = decide(play('+').state, rules, { ...result, at: start + everyMs, ok: false, data: 'refused' })
  ;({ state } = decide(state, rules, {
    ...result,
    at: start + everyMs + 10,
    serverId: 2,
    data: `R11|${ends('2027-02-01')}`,
  }))
  expect(state.certificates).toEqual([{ issuer: 'R11', expiresAt: Date.parse('2027-02-01T12:00:00Z') }])
})

test('a certificate of another issuer is told once; a renewal and an old acquaintance are not', () => {
  const texts: string[] = []
  let state = emptyState(start)
  const seen = ['A|2027-02-01', 'A|2027-05-01', 'B|2027-06-01', 'A|2027-05-01', 'B|2027-06-01']
  for (const [index, data] of seen.entries()) {
    const verdict = decide(state, rules, {
      ...result,
      at: start + index * everyMs,
      data: `${data.split('|')[0]}|${ends(data.split('|')[1]!)}`,
    })
    state = verdict.state
    texts.push(...verdict.effects.flatMap((effect) => (effect.kind === 'notice' ? effect.message : [])))
  }
  expect(texts).toEqual([
    '[TLS] shop TLS certificate changed, old: issuer A, expires at 2027-05-01 12:00:00; new: issuer B, expires at 2027-06-01 12:00:00',
  ])
})

test.each([
  ['SSL证书错误：x509: unknown authority', 1],
  ['SSL证书错误：dial timeout', 0],
  ['SSL证书错误：unexpected EOF', 0],
  ['a|b', 0],
  ['|', 0],
])('an older agent says %s', (data, notices) => {
  const { effects } = decide(emptyState(start), { ...rules, enable_trigger_task: false }, { ...result, data })
  expect(effects.filter(({ kind }) => kind === 'notice')).toHaveLength(notices)
})
