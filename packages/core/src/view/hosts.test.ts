import { describe, expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import type { HostState, Resource } from '../define/index.ts'
import { AppError } from '../errors.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { port, unit } from '../resources/index.ts'
import { hostedOf, hostKindsFor } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const states = ['active', 'failed', 'active', 'failed', 'maintenance', 'active', 'active', 'active']
const row = (id: number, server_id: number, state: string) => ({ id, server_id, name: `${state} ${id}`, state })
const mine = states.map((state, index) => row(index + 1, 3, state))
const view = viewOf({ unit: [row(100, 4, 'failed'), ...mine] })
const viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const surface = { translator, format: createFormat({ translator, timeZone: 'UTC' }), view, viewer }
const entry = (server_id: number, state: HostState, more: object = {}) => ({
  ...{ server_id, state, at: null, error: '', left: 0, ...more },
})
const shown = (hosts: readonly ReturnType<typeof entry>[], error: AppError | null = null, server = 3) =>
  hostedOf(surface, unit, server, { hosts, error })

describe('what a server’s page shows of one kind', () => {
  test('the first records of this host alone, problems first and counted', () => {
    const hosted = shown([entry(4, 'read'), entry(3, 'read')])
    expect(hosted?.rows.map(({ id }) => id)).toEqual([2, 4, 5, 1, 3])
    expect(hosted).toMatchObject({ count: 8, note: null, isComing: false })
    expect(hosted?.problems).toEqual([
      { text: '1 maintenance', tone: 'warn' },
      { text: '2 failed', tone: 'bad' },
    ])
  })

  test('problems are counted as the list counts them, also by a field that isn’t stored', () => {
    const fields = { ...port.fields, open_to: { ...port.fields.open_to, tones: { everywhere: 'warn' } } }
    const ports = ['0.0.0.0', '::', '127.0.0.1'].map((address, index) => ({
      id: index + 1,
      server_id: 3,
      name: address,
      address,
      program: '',
      port: 22,
    }))
    const hosted = hostedOf({ ...surface, view: viewOf({ port: ports }) }, { ...port, fields } as Resource, 3, {
      hosts: [entry(3, 'read')],
      error: null,
    })
    expect(hosted?.problems).toEqual([{ text: '2 all addresses', tone: 'warn' }])
  })

  test('it is coming until the host answers, also while another list’s hosts are known', () => {
    expect(shown([], null, 5)).toMatchObject({ isComing: true, note: null, count: 0 })
    expect(shown([entry(4, 'read')], null, 5)).toMatchObject({ isComing: true, rows: [] })
    expect(shown([entry(5, 'pending')], null, 5)).toMatchObject({ isComing: true })
  })

  test.each([
    ['offline', 'This server isn’t connected', 'warn'],
    ['not supported', 'Not supported by this host or its agent', 'muted'],
    ['refused', 'The agent doesn’t run commands', 'warn'],
    ['timed out', 'The host didn’t respond in time', 'warn'],
    ['no permission', 'The agent’s user isn’t allowed to read this', 'warn'],
    ['failed', 'The host’s output couldn’t be read', 'bad'],
    ['read', 'None on this host', 'muted'],
  ] as const)('a host that says “%s” has a sentence', (state, text, tone) => {
    expect(shown([entry(5, state)], null, 5)).toMatchObject({ note: { text, tone }, isComing: false })
  })

  test('what a host said of a failure is in it, as far as it fits', () => {
    const hosted = shown([entry(3, 'read', { error: 'podman: no socket' })])
    expect(hosted).toMatchObject({ note: { text: 'Only a part could be read (podman: no socket)' }, count: 8 })
    const long = shown([entry(5, 'failed', { error: 'x'.repeat(5000) })], null, 5)
    expect(long?.note?.text.length).toBeLessThan(200)
  })

  test('a server that can’t be reached says so, and a viewer who may not look into hosts sees no section', () => {
    expect(shown([], new AppError('timeout'), 5)).toMatchObject({ note: { tone: 'bad' }, isComing: false })
    expect(shown([], new AppError('forbidden'))).toBeNull()
    expect(hostKindsFor({ viewer: { ...viewer, scopes: ['nezha:cron:read'] } })).toEqual([])
  })
})
