import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await createWorld()
  const web = join(world.data, 'web')
  mkdirSync(join(web, 'assets'), { recursive: true })
  writeFileSync(join(web, 'index.html'), '<!doctype html><head></head>the page')
  writeFileSync(join(web, 'assets/app-1a2b.js'), 'console.log(1)')
  writeFileSync(join(web, '.env'), 'secret')
  symlinkSync(join(world.data, 'quarterdeck.db'), join(web, 'assets/link.js'))
  symlinkSync(world.data, join(web, 'up'))
  browser = await world.login()
})
afterAll(() => world.close())

describe('S-44 nothing but the built pages is ever served', () => {
  test.each([
    '/dashboard../quarterdeck.db',
    '/dashboard/../quarterdeck.db',
    '/dashboard/..%2fquarterdeck.db',
    '/dashboard/%2e%2e/quarterdeck.db',
    '/dashboard/%2e%2e%2fquarterdeck.db',
    '/dashboard/..\\quarterdeck.db',
    '/dashboard/..%5cquarterdeck.db',
    '/dashboard/%252e%252e/quarterdeck.db',
    '/dashboard/assets/../../../quarterdeck.db',
    '/dashboard//etc/passwd',
    '/dashboard/%00/../quarterdeck.db',
    '/dashboard/assets/app-1a2b.js%00.html',
    '/dashboard/assets/link.js',
    '/dashboard/up/quarterdeck.db',
    '/dashboard/.env',
    '/quarterdeck.db',
    '/../quarterdeck.db',
    '//quarterdeck.db',
    '/dashboard/assets',
    '/dashboard/assets/',
    '/dashboard/%zz',
    '/data/quarterdeck.db',
    '/server.pid',
  ])('%s', async (path) => {
    const answer = await world.guest().send('GET', path)
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('the page')
  })

  test('the built files are served, once and for all', async () => {
    const { status, headers, text } = await world.guest().send('GET', '/dashboard/assets/app-1a2b.js')
    expect([status, text]).toEqual([200, 'console.log(1)'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const again = await world
      .guest()
      .send('GET', '/dashboard/assets/app-1a2b.js', { headers: { 'If-None-Match': headers.etag! } })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

const valid = { name: 'x', task_type: 1, command: 'id' }

describe('S-47 malformed input is refused with the names of its fields', () => {
  test.each([
    ['unknown cover', { ...valid, cover: 3 }, 'cover'],
    ['unknown task type', { ...valid, task_type: 99 }, 'task_type'],
    ['a negative id', { ...valid, servers: [-1] }, 'servers'],
    ['a fractional id', { ...valid, servers: [1.5] }, 'servers'],
    ['an id over 2^53', { ...valid, servers: [2 ** 53] }, 'servers'],
    ['an id as text', { ...valid, servers: ['1'] }, 'servers'],
    ['a list in place of text', { ...valid, name: [] }, 'name'],
    ['text in place of a flag', { ...valid, push_successful: 'yes' }, 'push_successful'],
    ['a name without end', { ...valid, name: 'x'.repeat(129) }, 'name'],
  ])('%s', async (_name, body, field) => {
    const { body: answer } = await browser.send('POST', '/api/v1/cron', { body })
    expect(answer.success).toBeUndefined()
    expect(answer.problems?.map((problem) => problem.field)).toContain(field)
  })

  test.each([
    ['__proto__', '{"name":"x","__proto__":{"admin":true}}'],
    ['constructor', '{"name":"x","constructor":{"prototype":{"admin":true}}}'],
    ['escaped __proto__', '{"name":"x","\\u005f_proto__":{}}'],
    ['__proto__ in a map', '{"name":"x","override_ddns_domains":{"__proto__":["a"]}}'],
    ['a key twice', '{"name":"x","name":"y"}'],
    ['a key twice in other cases', '{"name":"x","NAME":"y"}'],
    ['nesting', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['nesting without end', '['.repeat(10_000)],
    ['no JSON', '{name:1}'],
    ['half of JSON', '{"name":"x"'],
    ['a control character', '{"name":"a\u0000b"}'],
  ])('%s', async (_name, bodyText) => {
    const answer = await browser.send('POST', '/api/v1/server-group', {
      bodyText,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body.success).toBeUndefined()
    expect(answer.body.error).not.toBe('')
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
  })

  test('a body of 50 MB is refused by its size', async () => {
    const body = { name: 'x', command: 'y'.repeat(50 * 1024 * 1024) }
    expect((await browser.send('POST', '/api/v1/cron', { body })).status).toBe(413)
    const chunked = {
      bodyText: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    }
    expect((await browser.send('POST', '/api/v1/cron', chunked)).status).toBe(413)
    expect(await browser.api('GET', 'profile')).toMatchObject({ username: 'admin' })
  })

  test.each(['abc', '-1', '1.5', '1e3', '9007199254740993', '18446744073709551616', '%00', '1%20or%201=1'])(
    'id %s',
    async (id) => {
      const answer = await browser.send('PATCH', `/api/v1/cron/${id}`, { body: valid })
      expect(answer.status).toBe(200)
      expect(answer.body.success).toBeUndefined()
    },
  )
})

describe('S-48 pages, filters and batches', () => {
  test.each([
    ['offset=-1&limit=-5', 25],
    ['offset=x&limit=y', 25],
    ['limit=0', 25],
    ['limit=999999999999', 500],
    ["limit=1;drop table runs&offset=' or 1=1", 25],
    ['limit=1.5', 25],
  ])('?%s is brought within bounds', async (query, limit) => {
    const answer = await browser.send('GET', `/api/v1/run?${query.replaceAll(' ', '%20')}`)
    expect(answer.body.data).toEqual({ pagination: { limit }, all: 0, counts: {} })
  })

  test('?id= with SQL is no filter and no query', async () => {
    await browser.api('POST', 'cron', valid)
    const answer = await browser.send('GET', `/api/v1/cron?id=${encodeURIComponent('1) or 1=1; drop table crons;--')}`)
    expect(answer.body.data).toHaveLength(1)
  })

  test('a batch of 100000 ids is refused, one of 10000 is not', async () => {
    const batch = (size: number) => Array.from({ length: size }, (_, index) => index + 1000)
    const refused = await browser.send('POST', '/api/v1/batch-delete/cron', { body: batch(100_000) })
    expect(refused.body).toMatchObject({ error: 'at most 10000 IDs at once', code: 'invalid' })
    expect((await browser.send('POST', '/api/v1/batch-delete/cron', { body: batch(10_000) })).body).toEqual({
      success: true,
    })
  })
})

describe('issue 10.15: values that were taken, or refused, against the decisions', () => {
  const rule = { name: 'r', enable: false, trigger_mode: 0 }
  const cpu = { type: 'cpu', max: 90, duration: 3, cover: 0 }
  const task = { name: 't', task_type: 0, command: 'id', cover: 0, servers: [] }
  const service = { name: 's', type: 2, target: '127.0.0.1', duration: 30, cover: 0 }
  const notifier = { name: 'n', url: 'https://push.example/', skip_check: true }

  test.each<[string, string, object, string]>([
    ['alert-rule', 'an unknown type', { ...rule, rules: [{ ...cpu, type: 'heat' }] }, 'rules'],
    ['cron', '@every 0s', { ...task, scheduler: '@every 0s' }, 'scheduler'],
    ['cron', '@every 999ms', { ...task, scheduler: '@every 999ms' }, 'scheduler'],
    ['service', 'a fraction as highest latency', { ...service, max_latency: 1.5 }, 'max_latency'],
    ['service', 'a fraction as lowest latency', { ...service, min_latency: 0.5 }, 'min_latency'],
    ['service', 'a fraction as interval', { ...service, duration: 30.5 }, 'duration'],
    ['service', 'a fraction as place', { ...service, display_index: 1.5 }, 'display_index'],
    ['alert-rule', 'a fraction as duration', { ...rule, rules: [{ ...cpu, duration: 3.5 }] }, 'rules'],
    ['notification', 'a fraction as method', { ...notifier, request_method: 1.5 }, 'request_method'],
  ])('%s with %s is refused', async (noun, _what, body, field) => {
    const { body: answer } = await browser.send('POST', `/api/v1/${noun}`, { body })
    expect(answer.problems?.map((problem) => problem.field)).toEqual([field])
  })

  test.each<[string, string, object, object]>([
    ['alert-rule', 'an empty ignore', { ...rule, rules: [{ ...cpu, ignore: '' }] }, { rules: [cpu] }],
    [
      'alert-rule',
      'empty optional fields',
      { ...rule, rules: [{ ...cpu, min: '', cycle_start: '', cycle_interval: '', cycle_unit: '' }] },
      { name: 'r' },
    ],
    ['cron', '@every 1s', { ...task, scheduler: '@every 1s' }, { scheduler: '@every 1s' }],
    ['notification', 'no method and type', notifier, { request_method: 1, request_type: 1 }],
    ['notification', 'null as method', { ...notifier, request_method: null }, { request_method: 1 }],
  ])('%s with %s is taken', async (noun, _what, body, kept) => {
    const id = await browser.api('POST', noun, body)
    const rows = (await browser.api('GET', noun)) as { id: number }[]
    expect(rows.find((row) => row.id === id)).toMatchObject(kept)
  })
})
