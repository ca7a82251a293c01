import { expect, test } from 'vitest'
import { showLanguage, texts } from '../base/state/texts.ts'
import { announcedOf, problemsOf, problemText, toneOf } from './problems.ts'
import type { PublicIncident } from './watched.ts'

await showLanguage('en-US')

const serverOf = (id: number, lastActive = '2026-11-20T12:00:00Z') => ({
  id,
  name: `web-${id}`,
  note: '',
  isOnline: false,
  isKnown: true,
  load: null,
  busy: { is: false, against: 0 },
  lastActive,
  maintenanceUntil: null,
  nextMaintenance: null,
  sample: { host: {}, state: {} },
})
const servers = Array.from({ length: 9 }, (_, at) => serverOf(at + 1))
let next = 0
const incident = (serverId: number, metric: string, more: Partial<PublicIncident> = {}): PublicIncident => ({
  id: ++next,
  source: 'alert',
  name: 'CPU of customer ACME',
  serverId,
  openedAt: `2026-11-20T11:5${serverId}:00Z`,
  reading: { metric, value: 90, limit: 80 },
  isPlanned: false,
  ...more,
})
const said = (incidents: PublicIncident[], down: ReturnType<typeof serverOf>[] = []) =>
  problemsOf(incidents, servers, down).map((one) => problemText(texts().t, one))

test('issue 36.36 visitors read which server is affected, not the name of a rule', () => {
  expect(said([incident(1, 'offline')])).toEqual(['web-1 is offline'])
  expect(said([incident(1, 'cpu')])).toEqual(['Problem on web-1'])
})

test('issue 36.36 a server that breaks several rules has one line, since the first', () => {
  const all = [incident(2, 'cpu'), incident(2, 'memory', { openedAt: '2026-11-20T10:00:00Z' })]
  expect(said(all)).toEqual(['Problem on web-2'])
  expect(problemsOf(all, servers, [])[0]).toMatchObject({ since: '2026-11-20T10:00:00Z', reading: null })
  expect(said([...all, incident(2, 'offline')])).toEqual(['web-2 is offline'])
})

test('issue 36.36 servers of one name are still several', () => {
  const twins = servers.slice(0, 4).map((one) => ({ ...one, name: 'node' }))
  const both = problemsOf([incident(1, 'offline'), incident(2, 'offline')], twins, [])
  expect(new Set(both.map(({ key }) => key)).size).toBe(2)
  const [all] = problemsOf([], twins, twins)
  expect(problemText(texts().t, all!)).toBe('4 servers are offline')
})

test('issue 36.36 many servers with the same problem share one line; services and maintenance stay apart', () => {
  const offline = [1, 2, 3, 4].map((id) => incident(id, 'offline'))
  expect(said(offline.slice(0, 3))).toHaveLength(3)
  const service = incident(0, 'service', { source: 'service', name: 'shop' })
  const planned = incident(9, 'cpu', { isPlanned: true })
  expect(said([...offline, planned, service, incident(5, 'cpu')], [serverOf(6, '2026-11-20T09:00:00Z')])).toEqual([
    'shop is down',
    '5 servers are offline',
    'Problem on web-5',
    'Problem on web-9',
  ])
  const [, many] = problemsOf([...offline, service], servers, [serverOf(6, '2026-11-20T09:00:00Z')])
  expect(many).toMatchObject({
    names: ['web-1', 'web-2', 'web-3', 'web-4', 'web-6'],
    since: '2026-11-20T09:00:00Z',
    isLastSeen: false,
  })
})

test('a server over a limit is less bad than one that is gone; maintenance is quiet', () => {
  const tones = problemsOf(
    [incident(1, 'cpu'), incident(2, 'offline'), incident(3, 'offline', { isPlanned: true })],
    servers,
    [],
  ).map((one) => [one.names[0], toneOf(one)])
  expect(Object.fromEntries(tones)).toEqual({ 'web-1': 'warn', 'web-2': 'bad', 'web-3': 'muted' })
})

test('issue 39 servers with the same maintenance to come share a line; what has begun is not announced', () => {
  const planned = (id: number, from: string, until: string) => ({ ...serverOf(id), nextMaintenance: { from, until } })
  const [ten, eleven] = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z']
  const all = [
    serverOf(1),
    planned(2, eleven, '2026-11-20T12:00:00Z'),
    planned(3, ten, eleven),
    planned(4, '2026-11-20T10:00:00.000Z', eleven),
  ]
  const said = (now: string) =>
    announcedOf(all, Date.parse(now)).map(({ servers, from }) => [from, servers.map(({ id }) => id)])
  expect(said('2026-11-20T09:00:00Z')).toEqual([
    [ten, [3, 4]],
    [eleven, [2]],
  ])
  expect(said(ten)).toEqual([[eleven, [2]]])
})
