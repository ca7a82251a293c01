import { describe, expect, test } from 'vitest'
import type { AnyRow, Call, Resource } from '../define/index.ts'
import { notification, serverGroup, setting } from '../resources/index.ts'
import { ifMatchCapability } from './edits.ts'
import { type SaveRequest, saveForm } from './save.ts'

const stamp = '2026-11-20T13:00:00Z'
const stored = notification.read.parse({
  id: 3,
  name: 'chat',
  updated_at: stamp,
  ...{ request_method: 2, request_type: 1, verify_tls: true },
})
const same = { ...notification.initial, name: 'chat', request_method: 2, format_metric_units: false }

/** Saves against a server that answers reads with `now` and changes with 3. */
function saving(request: Partial<SaveRequest> & { now?: AnyRow; takesIfMatch?: boolean }) {
  const { now = stored, takesIfMatch = true, ...more } = request
  const calls: Call[] = []
  const api = {
    async send(call: Call) {
      if (call.method !== 'GET') calls.push(call)
      return call.method === 'GET' ? [now] : 3
    },
  }
  const saved = saveForm({
    api,
    resource: notification as Resource,
    mode: 'edit',
    base: stored,
    input: same,
    supports: (name) => (name === ifMatchCapability ? takesIfMatch : name === 'clear-secrets'),
    ...more,
  })
  return { calls, saved }
}

describe('secrets', () => {
  test('an empty one is sent empty, which keeps it; null is sent, which clears it', async () => {
    const kept = saving({})
    await kept.saved
    expect(kept.calls[0]).toMatchObject({ path: 'notification/3', body: { url: '', request_header: '' } })
    const cleared = saving({ input: { ...same, request_header: null } })
    await cleared.saved
    expect(cleared.calls[0]!.body).toMatchObject({ request_header: null, request_body: '' })
  })
  test.each(['create', 'duplicate'] as const)('nothing is sent where %s has no needed one', async (mode) => {
    const { calls, saved } = saving({ mode, base: null })
    await expect(saved).rejects.toMatchObject({ code: 'invalid', problems: [{ field: 'url', code: 'required' }] })
    expect(calls).toEqual([])
  })
  test('a server that takes no null for one is not asked to clear it', async () => {
    const { calls, saved } = saving({ input: { ...same, request_header: null }, supports: () => false })
    await expect(saved).rejects.toMatchObject({ code: 'unsupported', params: { capability: 'clear-secrets' } })
    expect(calls).toEqual([])
  })
  test('the needed one cannot be cleared', async () => {
    await expect(saving({ input: { ...same, url: null } }).saved).rejects.toMatchObject({
      problems: [{ field: 'url', code: 'required' }],
    })
  })
  test.each<[string, object]>([
    ['replaced', { url: 'https://other.example.net' }],
    ['cleared', { request_body: null }],
  ])('a save that %s one cannot be taken back, because nobody knows what it was', async (_name, change) => {
    expect((await saving({ input: { ...same, ...change } }).saved).undo).toBeNull()
  })
  test('a save that kept them can', async () => {
    const now = { ...stored, name: 'talk' }
    const { calls, saved } = saving({ input: { ...same, name: 'talk' }, now })
    await (await saved).undo!()
    expect(calls.map(({ body }) => (body as AnyRow).name)).toEqual(['talk', 'chat'])
    expect(calls[1]!.body).toMatchObject({ url: '' })
  })
})

describe('a record that somebody changed meanwhile', () => {
  const now = { ...stored, updated_at: '2026-11-20T13:05:00Z' }
  test('is left to the server that takes If-Match', async () => {
    const { calls, saved } = saving({ now })
    await saved
    expect(calls[0]!.ifMatch).toBe(stamp)
  })
  test('is read again for one that does not', async () => {
    const { calls, saved } = saving({ now, takesIfMatch: false })
    await expect(saved).rejects.toMatchObject({ code: 'conflict' })
    expect(calls).toEqual([])
  })
  test('is not overwritten by undo', async () => {
    const { calls, saved } = saving({ input: { ...same, name: 'talk' }, now: { ...now, name: 'third' } })
    await expect((await saved).undo!()).rejects.toMatchObject({ code: 'conflict' })
    expect(calls).toHaveLength(1)
  })
})

test('a new record has the id of the answer and no undo', async () => {
  const { calls, saved } = saving({
    resource: serverGroup as Resource,
    mode: 'create',
    base: null,
    input: { name: 'web', servers: [1] },
  })
  expect(await saved).toEqual({ id: 3, row: null, undo: null, secret: null })
  expect(calls).toEqual([{ method: 'POST', path: 'server-group', body: { name: 'web', servers: [1] } }])
})

test('a change that was kept has no record from its response, which still says that it is provisional', async () => {
  const base = setting.read.parse({ id: 1, ...setting.initial, site_name: 'Fleet', trial_until: null })
  const item = { config: {}, trial_until: '2026-11-26T20:10:00Z' }
  const calls: string[] = []
  const save = (keeps?: true) =>
    saveForm({
      api: {
        async send({ method, path }) {
          calls.push(`${method} ${path}`)
          return method === 'GET' ? { config: {}, trial_until: null } : item
        },
      },
      ...{
        resource: setting as Resource,
        mode: 'edit',
        base,
        input: { ...setting.initial, site_name: 'Fleet' },
        wantsRow: true,
      },
      supports: () => true,
      ...(keeps && { keeps }),
    })
  expect((await save()).row).toMatchObject({ trial_until: item.trial_until })
  expect((await save(true)).row).toBeNull()
  expect(calls.at(-1)).toBe('POST setting/keep')
})
