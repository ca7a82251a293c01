import { expect, test } from 'vitest'
import type { AnyRow, SayContext } from '../define/index.ts'
import { previewNotifier } from './notifier-preview.ts'

const server = {
  id: 3,
  name: 'db-1',
  host: { mem_total: 1000 },
  state: { mem_used: 250 },
  geoip: {},
  last_active: '2026-11-21T00:00:00Z',
}
const context = (servers: readonly AnyRow[]) =>
  ({
    translator: { t: (_key: string, { name }: { name: string }) => `${name}: "hot"` },
    format: { timeZone: 'UTC' },
    view: { now: 0, all: () => servers },
  }) as unknown as SayContext

const values = {
  url: 'https://push.example/?m=#SERVER.ID#',
  request_method: 2,
  request_type: 1,
  request_header: '{"X-Key":"abc"}',
  request_body: '{"text":"#NEZHA#","mem":"#SERVER.MEM#"}',
  format_metric_units: true,
}

test('a notifier as typed is shown for a server that reports', () => {
  const silent = { ...server, id: 1, name: 'off', last_active: null }
  expect(previewNotifier(values, context([silent, server]))).toEqual([
    'POST https://push.example/?m=3',
    'Content-Type: application/json',
    'X-Key: abc',
    '{"text":"db-1: \\"hot\\"","mem":"25.00 %"}',
  ])
})

test('without servers their placeholders stay; what was cleared or cannot be built is no trouble', () => {
  expect(previewNotifier({ ...values, request_header: null }, context([]))[2]).toContain('#SERVER.MEM#')
  expect(previewNotifier({ ...values, request_header: '{' }, context([server]))).toEqual([])
})
