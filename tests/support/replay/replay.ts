import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { resources } from '@qd/core/resources'
import type { Certificate } from '../certificates.ts'
import { bodyProblem } from './bodies.ts'
import { asBefore, asToday, formBefore } from './first-generation.ts'
import { firstReads } from './first-reads.ts'
import { blockPage, fill, type Step, stepOf, stepsOf, type Values } from './recordings.ts'
import { createStreams, type Streams } from './streams.ts'

/** How a replayed dashboard begins. */
export interface ReplayOptions {
  /** 2: as recorded. 1: as the specification of 1.x has it. */
  readonly generation?: 1 | 2
  /** Who signs in. */
  readonly as?: 'admin' | 'member'
  /** What it says of itself; recorded is `debug`. */
  readonly version?: string
  readonly certificate?: Certificate
}

/** What a changing call brings about. */
export interface Expected {
  /** Values that are sent otherwise than recorded; `body` for one that is no object. */
  readonly with?: Readonly<Record<string, unknown>>
  /** What is read from then on, as file and step. */
  readonly after?: readonly (readonly [file: string, step: string])[]
}

/**
 * A dashboard that answers with what a real one answered, and with nothing else: a request that is neither one of its lists nor the
 * next call that the test expects fails the test, and so does an expected call that never comes.
 */
export interface Replay {
  readonly url: string
  readonly streams: Streams
  /** From now on this recorded answer stands at its address. */
  reads(file: string, step: string): void
  /** From now on this list holds these records, for what nobody recorded. */
  says(path: string, records: readonly object[]): void
  /** The next changing call is this one. */
  expects(file: string, step: string, expected?: Expected): void
  /** `GET profile` and so on, oldest first. */
  calls(): readonly string[]
  /** The sign-in is over, as after a restart with another key. */
  endSession(): void
  /** Tokens against forgery no longer count, as after a change of the dashboard’s key. */
  forgetsCsrf(): void
  /** From now on every call is answered by this instead, but those for which it returns `as ever`; null: none. */
  answersWith(answer: ((request: IncomingMessage, response: ServerResponse) => unknown) | null): void
  /** From now on the firewall answers. */
  blocks(): void
  close(): Promise<void>
}

/** Addresses of ours that a client may ask for to learn that they are not there: lists that only we have, and calls apart from those. */
const ours = resources.filter(({ requires }) => requires !== null).map(({ wire }) => wire.path)
const probes = [new RegExp(`^GET (capabilities|setting/doctor|${ours.join('|')})\\b`), /^POST logout$/]
/** What a guest may call. */
const isForGuests = (call: string) => call === 'POST login' || call === 'GET setting'

/** One that runs, and what was wrong with it so far: calls that came and were not to come, and those that never came. */
export interface Started {
  replay: Replay
  problems(): readonly string[]
}

/** Starts one on 127.0.0.1. */
export async function createReplay(options: ReplayOptions = {}): Promise<Started> {
  const { generation = 2, as = 'admin', version, certificate } = options
  const isFirst = generation === 1
  const problems: string[] = []
  const calls: string[] = []
  const answers = new Map<string, { file: string; step: Step }>()
  const queue: { file: string; step: Step; expected: Expected }[] = []
  const spoken = new Map<string, readonly object[]>()
  let signIns = 0
  let jwt: string | null = null
  /** Tokens against forgery that still count; each sign-in, refresh and seeding makes one. */
  const csrf = new Set<string>()
  let csrfs = 0
  const newCsrf = () => {
    csrfs += 1
    csrf.add(`c0ffee.${csrfs}`)
    return `nz-csrf=c0ffee.${csrfs}; Path=/; SameSite=Strict`
  }
  let instead: ((request: IncomingMessage, response: ServerResponse) => unknown) | null = null

  const reads = (file: string, name: string) => {
    const step = stepOf(file, name)
    answers.set(step.request.path, { file, step })
  }
  for (const [file, step] of firstReads[as]) reads(file, step)

  /** Records that were read before a call have the same times as those that are read again. */
  const valuesOf = (file: string, step: Step): Values => ({
    stamp: new Date(Date.UTC(2026, 10, 20, 10, 0, stepsOf(file).indexOf(step))).toISOString(),
    jwt: jwt ?? '',
    csrf: `c0ffee.${csrfs}`,
    session: '3f0c1f6e-3a53-4d1d-8d0c-6c8a2e5f7b11',
  })
  const bodyOf = ({ file, step }: { file: string; step: Step }, path: string): unknown => {
    const body = fill(step.response.body, valuesOf(file, step)) as { data?: unknown } | undefined
    if (body?.data === undefined) return body
    const data = isFirst ? asBefore(path, body.data) : body.data
    const isVersioned = version !== undefined && path === 'setting' && 'version' in (data as object)
    return { ...body, data: isVersioned ? { ...(data as object), version } : data }
  }
  /** A record that was read by itself is in its list as well. */
  const single = (path: string, row: { id?: number }): unknown => {
    const found = answers.get(`/api/v1/${path}?id=${row.id}`)
    const body = found && (bodyOf(found, path) as { data?: { id: number }[] })
    return body?.data?.find(({ id }) => id === row.id)
  }
  /** Lists may be asked for some ids; where none of them is there, all of them come (contract http-api 1.5). */
  const readAnswer = (path: string): { status: number; body: unknown } | null => {
    const [bare = '', query = ''] = path.split('?')
    const whole = query === '' ? undefined : answers.get(`/api/v1/${path}`)
    if (whole) return { status: whole.step.response.status, body: bodyOf(whole, bare) }
    const said = spoken.get(bare)
    if (said) return { status: 200, body: { success: true, data: said } }
    const found = answers.get(`/api/v1/${bare}`)
    if (!found) return null
    const body = bodyOf(found, bare) as { data?: unknown }
    if (query === '' && Array.isArray(body.data)) body.data = body.data.map((row) => single(bare, row) ?? row)
    const id = Number(new URLSearchParams(query).get('id'))
    const rows = Array.isArray(body.data) ? body.data.filter((row: { id?: number }) => row.id === id) : []
    return { status: found.step.response.status, body: rows.length > 0 ? { ...body, data: rows } : body }
  }

  const signIn = (body: unknown) => {
    const { username, password } = (body ?? {}) as { username?: string; password?: string }
    const right = as === 'admin' ? ['admin', 'admin'] : ['alice', 'alice-pass-1']
    if (username !== right[0] || password !== right[1]) return stepOf('auth', 'login: wrong password').response
    signIns += 1
    jwt = `sign-in-${signIns}`
    return null
  }
  const cookiesOfSignIn = () => [`nz-jwt=${jwt}; Path=/; Max-Age=3600; SameSite=Lax`, ...(isFirst ? [] : [newCsrf()])]
  const isSignedIn = ({ headers }: IncomingMessage) => {
    const token = /^Bearer (nzp_p{32})$/.exec(headers.authorization ?? '')
    return (!isFirst && token !== null) || (jwt !== null && (headers.cookie ?? '').includes(`nz-jwt=${jwt}`))
  }
  const csrfOf = ({ headers }: IncomingMessage) => /nz-csrf=([^;]+)/.exec(headers.cookie ?? '')?.[1]
  const isTwice = (request: IncomingMessage) => {
    const { authorization, 'x-csrf-token': said } = request.headers
    return isFirst || authorization !== undefined || (said === csrfOf(request) && csrf.has(String(said)))
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url!.replace(/^\/api\/v1\//, '')
    const [bare = ''] = path.split('?')
    const call = `${request.method} ${path}`
    const raw = await textOf(request)
    const say = (status: number, body: unknown, cookies: readonly string[] = []) => {
      response.writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        ...(cookies.length > 0 && { 'Set-Cookie': [...cookies] }),
      })
      response.end(body === undefined ? '' : JSON.stringify(body))
    }
    const noRoute = () => say(404, { error: '404 Not Found' })
    const unexpected = (why: string) => {
      problems.push(`${call} ${raw}: ${why}`)
      say(500, undefined)
    }
    calls.push(call)
    if (instead && instead(request, response) !== 'as ever') return
    if (new URLSearchParams(path.split('?')[1] ?? '').has('token')) return unexpected('a token in an address')
    if (probes.some((probe) => probe.test(call)) && !readAnswer(path)) return noRoute()
    const today = isFirst ? asToday(request.method!, bare) : { method: request.method!, path: bare }
    if (!today) return noRoute()
    const json = raw === '' ? undefined : (JSON.parse(raw) as unknown)
    if (call === 'POST login') {
      if (request.headers['content-type'] !== 'application/json') return unexpected('a sign-in that is no JSON')
      const refused = signIn(json)
      if (refused) return say(refused.status, refused.body)
      return say(
        200,
        fill(stepOf('auth', 'login: ok').response.body, valuesOf('auth', stepOf('auth', 'login: ok'))),
        cookiesOfSignIn(),
      )
    }
    if (!isSignedIn(request)) {
      if (!isForGuests(call)) return say(200, { error: 'ApiErrorUnauthorized' })
      const guest = { file: 'settings', step: stepOf('settings', 'as guest') }
      return say(200, bodyOf(guest, 'setting'))
    }
    if (today.method === 'GET' && request.method === 'GET') {
      const found = readAnswer(path)
      // Only a missing cookie is made; a stale one stays (contract http-api 2.3).
      const seeds = isFirst || csrfOf(request) !== undefined || isForGuests(call) ? [] : [newCsrf()]
      return found ? say(found.status, found.body, seeds) : unexpected('not among what is read')
    }
    if (!isTwice(request)) return say(403, { error: 'ApiErrorForbidden: missing or invalid CSRF token' })
    if (today.path === 'refresh-token') {
      const step = stepOf('auth-refresh', 'refresh ok')
      return say(200, fill(step.response.body, valuesOf('auth-refresh', step)), cookiesOfSignIn())
    }
    // Wrong verbs are no routes, whatever is expected.
    if (!isFirst && request.method === 'GET') return noRoute()
    const next = queue[0]
    const wanted = next && `${next.step.request.method} ${next.step.request.path.replace('/api/v1/', '')}`
    const query = path.slice(bare.length)
    if (!next || wanted !== `${today.method} ${today.path}${query}`)
      return unexpected(next ? `${wanted} was to come` : 'no change was to come')
    const form = { ...next, step: isFirst ? withForm(next.step) : next.step }
    const wrong = bodyProblem({ file: next.file, step: form.step, sent: json, changed: next.expected.with, isFirst })
    if (wrong) return unexpected(wrong)
    queue.shift()
    for (const [file, step] of next.expected.after ?? []) reads(file, step)
    return say(next.step.response.status, bodyOf(next, 'change'))
  }

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, response).catch((error: unknown) => {
      problems.push(`${request.method} ${request.url}: ${String(error)}`)
      response.destroy()
    })
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const streams = createStreams({ as, isFirst, isSignedIn, problems, calls, isRefused: () => instead !== null })
  server.on('upgrade', streams.upgrade)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const replay: Replay = {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams,
    reads,
    says: (path, records) => void spoken.set(path, records),
    expects: (file, step, expected = {}) => void queue.push({ file, step: stepOf(file, step), expected }),
    calls: () => calls,
    endSession() {
      jwt = null
    },
    forgetsCsrf: () => csrf.clear(),
    answersWith(next) {
      instead = next
    },
    blocks() {
      instead = (_request, response) =>
        void response.writeHead(403, { 'Content-Type': 'text/html; charset=utf-8' }).end(blockPage())
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return {
    replay,
    problems: () => [...problems, ...queue.map(({ file, step }) => `never came: ${file}, ${step.name}`)],
  }
}

/** A recorded form in the words of 1.x. */
function withForm(step: Step): Step {
  const path = step.request.path.replace('/api/v1/', '')
  return { ...step, request: { ...step.request, body: formBefore(path, step.request.body) } }
}
