import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type Answer,
  client,
  clocks,
  dashboard,
  good,
  nodeFetch,
  type Route,
  unauthorized,
} from '../../../../tests/support/peers/fake-dashboard.ts'
import type { AppError } from '../errors.ts'
import type { FetchRequest } from './ports.ts'

describe('answers', () => {
  test.each<[string, Answer, unknown]>([
    ['data', good([{ id: 1 }]), [{ id: 1 }]],
    ['no data', good(), null],
  ])('%s', async (_name, answer, data) => {
    const { baseUrl } = await dashboard({ 'GET cron': () => answer })
    await expect(client(baseUrl).send({ method: 'GET', path: 'cron' })).resolves.toEqual(data)
  })

  test.each<[string, Answer, string, Record<string, unknown>]>([
    [
      'C-11 a failure with 200',
      { body: { error: 'task id 9 does not exist' } },
      'failed',
      { text: 'task id 9 does not exist' },
    ],
    [
      'a right that is missing, with 200',
      { body: { error: 'permission denied' } },
      'forbidden',
      { text: 'permission denied' },
    ],
    ['the same in Chinese', { body: { error: '权限不够' } }, 'forbidden', { text: '权限不够' }],
    [
      'the agent’s words about a file',
      { body: { error: 'open /root/x: permission denied' } },
      'failed',
      { text: 'open /root/x: permission denied' },
    ],
    ['no sign-in, with 200', unauthorized, 'unauthorized', {}],
    [
      'an API token that is not known',
      { status: 401, body: { error: 'ApiErrorUnauthorized: invalid api token' } },
      'badToken',
      { text: 'invalid api token' },
    ],
    [
      'a scope that is missing',
      { status: 403, body: { error: 'ApiErrorForbidden: api token lacks scope nezha:cron:read' } },
      'tokenForbidden',
      { text: 'api token lacks scope nezha:cron:read', scope: 'nezha:cron:read' },
    ],
    [
      'the firewall page',
      { status: 403, headers: { 'content-type': 'text/html' }, text: '<!DOCTYPE html><title>Blocked</title>' },
      'firewall',
      {},
    ],
    ['no such route', { status: 404, body: { error: '404 Not Found' } }, 'noRoute', {}],
    [
      'the page of the frontend',
      { headers: { 'content-type': 'text/html' }, text: '<!doctype html><html>' },
      'noRoute',
      {},
    ],
    ['a panic', { status: 500 }, 'internal', { status: 500 }],
    ['something else', { text: 'hello' }, 'badAnswer', { status: 200 }],
    ['issue 10: JSON of some other program', { body: { hello: 1 } }, 'badAnswer', { status: 200 }],
    ['a success that is not said', { body: { data: 1 } }, 'failed', {}],
    [
      'ours, with code and problems, which say what the words of the wire say',
      { body: { error: 'x', code: 'invalid', params: { id: 3 }, problems: [{ field: 'name', code: 'required' }] } },
      'invalid',
      { id: 3 },
    ],
    [
      'ours, whose translation says all that the English words say',
      { body: { error: 'No version is pinned', code: 'nezhaReleaseRequired' } },
      'nezhaReleaseRequired',
      expect.not.objectContaining({ text: expect.anything() }),
    ],
    ['a code that every object has', { body: { error: 'x', code: 'constructor' } }, 'failed', { text: 'x' }],
    ['an unknown code of a later version', { body: { error: 'x', code: 'later' } }, 'failed', { text: 'x' }],
  ])('%s', async (_name, answer, code, params) => {
    const { baseUrl } = await dashboard({ 'GET cron': () => answer })
    await expect(client(baseUrl).send({ method: 'GET', path: 'cron' })).rejects.toMatchObject({ code, params })
  })

  test('issue 10: a failure carries its call and the status of its answer', async () => {
    const { baseUrl } = await dashboard({ 'GET cron': () => ({ status: 403, body: { error: 'no' } }) })
    const call = { request: 'GET /api/v1/cron', status: 403 }
    await expect(client(baseUrl).send({ method: 'GET', path: 'cron' })).rejects.toMatchObject({ call })
  })

  test('recorded failures of a real dashboard have the code that fits', async () => {
    const folder = new URL('../../../../tests/data/fixtures/http/', import.meta.url)
    const steps = ['auth', 'csrf', 'errors'].flatMap(
      (file) =>
        JSON.parse(readFileSync(new URL(`${file}.json`, folder), 'utf8')) as {
          name: string
          response: { status: number; body?: { success?: true; error?: string } }
        }[],
    )
    const failures = steps.filter(({ response }) => response.body?.error !== undefined)
    expect(failures.length).toBeGreaterThan(30)
    for (const { name, response } of failures) {
      const { baseUrl } = await dashboard({ 'GET x': () => ({ status: response.status, body: response.body }) })
      const error = String(response.body!.error)
      const code = error.startsWith('ApiErrorUnauthorized')
        ? error === 'ApiErrorUnauthorized'
          ? 'unauthorized'
          : 'badToken'
        : error.includes('CSRF')
          ? 'csrf'
          : response.status === 404
            ? 'noRoute'
            : response.status === 403
              ? 'tokenForbidden'
              : ['permission denied', '权限不够'].includes(error)
                ? 'forbidden'
                : 'failed'
      const api = client(baseUrl, { credentials: { kind: 'token', token: 'nzp_x' } })
      await expect(api.send({ method: 'GET', path: 'x' }), name).rejects.toMatchObject({ code })
    }
  })

  test('C-22 a server that does not answer ends in time; one that is not there says so', async () => {
    const { baseUrl } = await dashboard({ 'GET cron': () => 'silence' })
    await expect(client(baseUrl, { timeoutMs: 50 }).send({ method: 'GET', path: 'cron' })).rejects.toMatchObject({
      code: 'timeout',
    })
    await expect(
      client('http://127.0.0.1:1', { retries: 0 }).send({ method: 'GET', path: 'cron' }),
    ).rejects.toMatchObject({ code: 'unreachable' })
  })

  test.each<[string, Answer | 'silence' | 'hang up', boolean]>([
    ['no answer in time', 'silence', true],
    ['a connection that ended', 'hang up', true],
    ['a proxy whose dashboard is away', { status: 502, text: '<html>Bad Gateway' }, true],
    ['a page in the place of an answer', { text: 'hello' }, true],
    ['a failure of the server itself', { status: 500 }, true],
    [
      'a gateway that lost its dashboard',
      { body: { error: 'x', code: 'unreachable', params: { why: 'ended' } } },
      true,
    ],
    [
      'a gateway that found no dashboard',
      { body: { error: 'x', code: 'unreachable', params: { why: 'refused' } } },
      false,
    ],
    ['a refusal', { body: { error: 'no' } }, false],
    ['the firewall page', { status: 403, text: '<html>' }, false],
    ['no such route', { status: 404, body: { error: '404 Not Found' } }, false],
  ])('D3: %s leaves open whether a change was made, never whether something was read', async (_name, answer, open) => {
    const { baseUrl } = await dashboard({
      'GET cron': () => answer,
      'POST cron': () => answer,
      'POST login': () => answer,
    })
    const api = client(baseUrl, { timeoutMs: answer === 'silence' ? 100 : 30_000, retries: 0 })
    const ended = (sent: Promise<unknown>) =>
      sent.then(
        () => null,
        ({ mayBeDone }: AppError) => mayBeDone,
      )
    expect(await ended(api.send({ method: 'POST', path: 'cron' }))).toBe(open)
    expect(await ended(api.send({ method: 'GET', path: 'cron' }))).toBe(false)
    expect(await ended(api.login('admin', 'admin'))).toBe(false)
  })

  test('only before the first answer may a connection that ends mean that the address is of another scheme', async () => {
    let isAway = true
    const ended = () => Promise.reject(Object.assign(new Error(), { code: 'ECONNRESET' }))
    const { baseUrl } = await dashboard({ 'GET cron': () => good([]) })
    const ports = { ...clocks, fetch: (request: FetchRequest) => (isAway ? ended() : nodeFetch(request)) }
    const api = client(baseUrl, { retries: 0, ports })
    const read = () => api.send({ method: 'GET', path: 'cron' })
    await expect(read()).rejects.toMatchObject({ params: { why: 'plain' } })
    isAway = false
    await read()
    isAway = true
    await expect(read()).rejects.toMatchObject({ params: { why: 'ended' } })
  })

  test('D3: what never left is not done', async () => {
    const fetch = () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }))
    const sent = client('http://fleet', { ports: { ...clocks, fetch } }).send({ method: 'POST', path: 'cron' })
    await expect(sent).rejects.toMatchObject({ code: 'unreachable', mayBeDone: false })
  })

  test('a call that is left is cancelled', async () => {
    const { baseUrl } = await dashboard({ 'GET cron': () => 'silence' })
    const leave = new AbortController()
    const sent = client(baseUrl).send({ method: 'GET', path: 'cron' }, { signal: leave.signal })
    leave.abort()
    await expect(sent).rejects.toMatchObject({ code: 'cancelled' })
  })

  test('C-21 a failing server is asked again after a wait with chance in it; Retry-After decides where it is given', async () => {
    const waits: number[] = []
    const answers = [
      { status: 500, body: { error: 'x' } },
      { status: 502, text: 'bad gateway' },
      { status: 429, headers: { 'retry-after': '3' }, body: { error: 'slow down' } },
      good([1]),
    ]
    const { baseUrl } = await dashboard({ 'GET cron': (_request, count) => answers[count - 1]! })
    const setTimer = (run: () => void, ms: number) => {
      if (ms < 10_000) waits.push(ms)
      const timer = setTimeout(run, ms < 10_000 ? 0 : ms)
      return () => clearTimeout(timer)
    }
    const ports = { fetch: nodeFetch, now: () => 0, random: () => 0.5, setTimer }
    const api = client(baseUrl, { retries: 3, ports })
    await expect(api.send({ method: 'GET', path: 'cron' })).resolves.toEqual([1])
    expect(waits).toEqual([225, 450, 3000])
  })

  test('C-21 only reading calls are repeated', async () => {
    const shaky: Route = (_request, count) => (count < 3 ? 'hang up' : good([1]))
    const { baseUrl, calls } = await dashboard({ 'GET cron': shaky, 'POST cron/7/manual': shaky })
    await expect(client(baseUrl).send({ method: 'GET', path: 'cron' })).resolves.toEqual([1])
    await expect(client(baseUrl).send({ method: 'POST', path: 'cron/7/manual' })).rejects.toMatchObject({
      code: 'unreachable',
    })
    expect(calls()).toEqual(['GET cron', 'GET cron', 'GET cron', 'POST cron/7/manual'])
  })

  test('a task that an older server runs by GET is not run again after a failure', async () => {
    const shaky = () => ({ status: 502, body: {} })
    const { baseUrl, calls } = await dashboard({
      'GET cron/7/manual': shaky,
      'GET setting': () => good({ config: {}, version: 'v1.14.0' }),
    })
    const api = client(baseUrl)
    await expect(api.send({ method: 'POST', path: 'cron/7/manual' })).rejects.toThrow()
    expect(calls().filter((call) => call === 'GET cron/7/manual')).toHaveLength(1)
  })
})
