import { afterEach, describe, expect, test } from 'vitest'
import { cliText } from '../../../../../tests/support/english.ts'
import { createMonitoring } from '../../../../../tests/support/tui/monitoring.ts'
import { good } from '../../../../../tests/support/tui/server.ts'

const { qd, close } = createMonitoring()
afterEach(close)

describe('the past', () => {
  const at = Date.parse('2026-11-20T12:00:00Z')
  const series = { step_ms: 30_000, series: [{ server_id: 1, metric: 'cpu', points: [[at, 5, 1, 9, 7]] }] }
  const event = { id: 4, at: '2026-11-20T12:00:00Z', kind: 'run', params: { name: 'backup', state: 'failure' } }
  const replies = { history: good(series), 'server/1/event': good([event, { id: 3, kind: 'of a later version' }]) }

  test('steps as JSON and as text', async () => {
    const { stdout, asked } = await qd('server history web-1 --metric cpu --range 1h --json', { replies })
    expect(JSON.parse(stdout)).toEqual([
      {
        server_id: 1,
        server_name: 'web-1',
        metric: 'cpu',
        at: '2026-11-20T12:00:00.000Z',
        mean: 5,
        min: 1,
        max: 9,
        last: 7,
      },
    ])
    const query = new URLSearchParams(asked.find((path) => path.startsWith('history'))!.split('?')[1])
    expect([query.get('servers'), query.get('metric'), query.get('points')]).toEqual(['1', 'cpu', '300'])
    expect(Number(query.get('to')) - Number(query.get('from'))).toBe(3_600_000)
    const { stdout: plain } = await qd('server history web-1 --plain --no-header')
    expect(plain).toBe('1\tweb-1\tcpu\t2026-11-20T12:00:00.000Z\t5\t1\t9\t7\n')
  })
  test('issue 10: at 80 columns the newest part of the chart stays', async () => {
    const now = Date.now()
    const points = Array.from({ length: 40 }, (_, index) => {
      const value = index === 39 ? 100 : 1
      return [now - (39 - index) * 2_160_000, value, value, value, value]
    })
    const long = { history: good({ step_ms: 1, series: [{ server_id: 1, metric: 'net_in_speed', points }] }) }
    const line = 'server history web-1 --metric net_in_speed'
    const { stdout } = await qd(line, { replies: long, terminal: ['stdout'], columns: 80 })
    expect(stdout.trimEnd().length).toBeLessThanOrEqual(80)
    expect(stdout).toMatch(/net_in_speed {2}….*█/)
  })
  test('what runs on hosts by name; what the server leaves out may not be seen', async () => {
    const one = (metric: string, value: number) => ({
      ...{ server_id: 1, metric },
      points: [[at, value, value, value, value]],
    })
    const ofHosts = { history: good({ step_ms: 1, series: [one('fs_used:/var', 91), one('unit_down:nginx', 1)] }) }
    const line = 'server history web-1 --metric fs-used:/var,unit_down:nginx'
    const { stdout, asked } = await qd(`${line} --json metric,last`, { replies: ofHosts })
    expect(JSON.parse(stdout)).toEqual([
      { metric: 'fs_used:/var', last: 91 },
      { metric: 'unit_down:nginx', last: 1 },
    ])
    expect(new URLSearchParams(asked.at(-1)!.split('?')[1]).get('metric')).toBe('fs_used:/var,unit_down:nginx')
    const { code, stderr } = await qd('server history web-1 --metric units_failed', { replies: ofHosts })
    expect([code, stderr]).toEqual([5, expect.stringContaining(cliText('errors.forbidden'))])
  })
  test('times are the last one of each step', async () => {
    const day = 86_400
    const points = [[Date.now() - 60_000, 185 * day, 6 * day, 365 * day, 6 * day]]
    const full = { history: good({ step_ms: 1, series: [{ server_id: 1, metric: 'fs_full_in', points }] }) }
    const { stdout } = await qd('server history web-1 --metric fs_full_in', { replies: full })
    expect([stdout.includes('6 d'), /185|365/.test(stdout)]).toEqual([true, false])
  })
  test('nothing is said as nothing', async () => {
    const empty = { history: good({ step_ms: 1, series: [{ server_id: 1, metric: 'cpu', points: [] }] }) }
    expect((await qd('server history web-1', { replies: empty })).stdout).toBe('web-1  cpu  no data in this range\n')
  })
  test('events newest first; of later versions they are left out', async () => {
    expect((await qd('server events web-1', { replies })).stdout).toBe('2026-11-20T12:00:00Z  Ran backup: failure\n')
    expect((await qd('server events web-1 --json id,kind')).stdout).toBe('[{"id":4,"kind":"run"}]\n')
  })
  test('a server that keeps none says so', async () => {
    const capabilities = good({ capabilities: [] })
    const { code, stderr } = await qd('server history web-1', { replies: { capabilities } })
    expect(code).toBe(5)
    expect(stderr).toContain(cliText('errors.unsupported'))
  })
  test('what servers measured of a service', async () => {
    const stats = {
      up_percent: 50,
      data_points: [
        { ts: at, delay: 38.5, status: 1 },
        { ts: at + 1, delay: 0, status: 0 },
      ],
    }
    const answer = { service_id: 1, servers: [{ server_id: 1, server_name: 'web-1', stats }] }
    const { stdout, asked } = await qd('service history 1 --range 7d --json', {
      replies: { 'service/1/history': good(answer) },
    })
    expect(asked).toContain('service/1/history?period=7d')
    expect(JSON.parse(stdout).map((point: { delay: number; up: boolean }) => [point.delay, point.up])).toEqual([
      [38.5, true],
      [0, false],
    ])
    expect((await qd('service history 1')).stdout).toMatch(/^web-1 .*mean 39 ms, peak 39 ms {2}50% up\n$/)
  })
})
