import { isIP, isIPv6 } from 'node:net'
import { taskType } from '@qd/protocol/task-types'
import type { Settings } from '../config/settings.ts'
import type { Timing } from '../config/timing.ts'
import type { CommandEnd, Machine, Page } from '../machine/machine.ts'
import type { TaskHandler } from '../wire/runner.ts'

const maxTargetChars = 2048

/** No control characters, blanks or leading hyphen, which a program could read as an option. */
export const isPlain = (target: string): boolean =>
  target.length <= maxTargetChars && /^(?!-)[^\p{C}\s]+$/u.test(target)

export const isHost = (text: string): boolean => isIP(text) !== 0 || /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,252}$/u.test(text)

/** `host:port` or `[v6]:port`, or Nezha’s error text. */
export const splitHostPort = (target: string): { host: string; port: number } | string => {
  const [, v6, name, digits] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(target) ?? []
  const host = v6 ?? name
  if (host === undefined || digits === undefined) {
    const isBare = !target.includes(':') || target.endsWith(']')
    return `address ${target}: ${isBare ? 'missing port in address' : 'too many colons in address'}`
  }
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
  if (port < 1 || port > 65_535) return `address ${target}: invalid port`
  return isHost(host) ? { host, port } : `lookup ${host}: no such host`
}

/** Undefined for a job beyond both limits. */
export const createTurns = (most: number, maxWaiting: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (running >= most) {
      if (waiting.length >= maxWaiting) return undefined
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

interface SystemError {
  name?: string
  code?: string
  syscall?: string
  address?: string
  port?: number
  hostname?: string
  message?: string
  errors?: readonly SystemError[]
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EACCES: 'permission denied',
}

const joinHostPort = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

/** Nezha’s words where it has them (agent contract 3.4). */
export const toErrorText = (error: unknown): string => {
  const failed = error as SystemError
  const { name, code = '', syscall, address = '', port = 0, hostname, message = '' } = failed.errors?.[0] ?? failed
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT') return 'i/o timeout'
  if (syscall === 'getaddrinfo') return `lookup ${hostname}: no such host`
  if (syscall === 'connect' && address)
    return `dial tcp ${joinHostPort(address, port)}: connect: ${words[code] ?? message}`
  return message || code
}

/** `delay` in ms; `data`: error or certificate. */
interface Finding {
  successful: boolean
  delay?: number
  data?: string
  /** The answering address, if the host has several. */
  address?: string
}

const failure = (data: string): Finding => ({ successful: false, data })

/** A large file must not fill the connection. */
const maxBytes = 16 * 2 ** 20

const headers = { Accept: '*/*', 'Accept-Language': 'en', 'User-Agent': 'quarterdeck-agent' }

/** `R11|2026-03-01 12:00:00 +0000 UTC`: issuer and expiry (agent contract 3.4). */
const toCertificateText = ({ issuer, expiresAt }: NonNullable<Page['certificate']>): string => {
  const [day, time] = expiresAt.toISOString().split(/[T.]/)
  return `${issuer.replaceAll('|', ' ')}|${day} ${time} +0000 UTC`
}

const withoutPassword = (url: URL): string => {
  const shown = new URL(url)
  if (shown.password) shown.password = 'xxxxx'
  return shown.href
}

/** Task 1: 200 to 399 succeeds; redirects aren’t followed. */
const probeHttp = async (machine: Machine, target: string, timeoutMs: number): Promise<Finding> => {
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return failure('invalid URL: only http and https schemes are supported')
  const startedAt = machine.now()
  try {
    const { status, reason, certificate } = await machine.getPage({ url, headers, maxBytes, timeoutMs })
    const delay = machine.now() - startedAt
    if (status < 200 || status > 399) return { ...failure(`\n应用错误: ${`${status} ${reason}`.trim()}`), delay }
    return { successful: true, delay, ...(certificate && { data: toCertificateText(certificate) }) }
  } catch (error) {
    return failure(`Get "${withoutPassword(url)}": ${toErrorText(error)}`)
  }
}

const maxAtOnce = 128
const maxWaiting = 2048

/** Tasks 1 to 3. Targets never reach a shell (agent contract 3.4). */
export const createProbeHandlers = ({
  machine,
  settings,
  timing,
  stop,
}: {
  machine: Machine
  settings: Settings
  timing: Timing
  stop: AbortSignal
}): ReadonlyMap<bigint, TaskHandler> => {
  const inTurn = createTurns(maxAtOnce, maxWaiting)
  const { httpMs, icmpMs, tcpMs } = timing.probe
  const handler =
    (probe: (target: string) => Promise<Finding>): TaskHandler =>
    async ({ data: target }, { reply, progress }) => {
      if (settings.current.disable_send_query) return reply(failure('This server has disabled query sending'))
      if (!isPlain(target)) return reply(failure('invalid target'))
      const { address, ...found } = (await inTurn(() => probe(target))) ?? failure('too many probes at once')
      // Nezha notifications would show a success’s text as an error.
      reply(address && progress ? { ...found, data: address } : found)
    }
  return new Map([
    [taskType.httpProbe, handler((target) => probeHttp(machine, target, httpMs))],
    [taskType.icmpProbe, handler((target) => probeIcmp(machine, target, { timeoutMs: icmpMs, stop }))],
    [taskType.tcpProbe, handler((target) => probeTcp(machine, target, tcpMs))],
  ])
}

const maxOutputChars = 16_384
const packets = '5'
const missing = 'executable file not found'

/** Replies in ms from iputils, BusyBox or BSD. Duplicates don’t count. */
export const readReplies = (output: string): number[] =>
  [...output.matchAll(/^\d+ bytes from .*time[=<]([\d.]+) ?ms(.*)$/gm)]
    .filter(([, , rest]) => !rest!.includes('DUP'))
    .map(([, ms]) => Number(ms))

const run = async (
  machine: Machine,
  file: string,
  { address, timeoutMs, stop }: { address: string; timeoutMs: number; stop: AbortSignal },
): Promise<{ end: CommandEnd; output: string; errors: string }> => {
  const decoder = new TextDecoder()
  let output = ''
  let errors = ''
  const { ended, kill } = machine.runProgram(
    { file, args: ['-c', packets, address], folder: '', env: { LC_ALL: 'C' }, stdin: '' },
    {
      onOutput(chunk) {
        if (output.length < maxOutputChars) output += decoder.decode(chunk, { stream: true })
      },
      onErrors(chunk) {
        if (errors.length < maxOutputChars) errors += Buffer.from(chunk).toString('utf8')
      },
    },
  )
  const over = new AbortController()
  void machine.sleep(timeoutMs, over.signal).then(() => over.signal.aborted || kill())
  stop.addEventListener('abort', kill)
  const end = await ended
  stop.removeEventListener('abort', kill)
  over.abort()
  return { end, output, errors }
}

const ping = async (
  machine: Machine,
  limits: { address: string; timeoutMs: number; stop: AbortSignal },
): Promise<Finding> => {
  const is6 = isIPv6(limits.address)
  // Older systems and Apple’s have ping6.
  let ran = await run(machine, is6 ? 'ping6' : 'ping', limits)
  if (is6 && 'error' in ran.end) ran = await run(machine, 'ping', limits)
  const { end, output, errors } = ran
  if ('error' in end) return failure(end.error === missing ? 'ping is not installed on this server' : end.error)
  const replies = readReplies(output)
  if (replies.length > 0) return { successful: true, delay: replies.reduce((sum, ms) => sum + ms, 0) / replies.length }
  return failure(errors.trim().split('\n')[0] || 'pockets recv 0')
}

/** Task 2: five pings by the system’s program, which needs no privileges. One reply succeeds. If an address is unreachable, the name’s next one is tried. */
const probeIcmp = async (
  machine: Machine,
  target: string,
  { timeoutMs, stop }: { timeoutMs: number; stop: AbortSignal },
): Promise<Finding> => {
  const addresses = await addressesOf(machine, target)
  if (typeof addresses === 'string') return failure(addresses)
  const until = machine.now() + timeoutMs
  let found: Finding = failure('')
  for (const address of addresses) {
    found = await ping(machine, { address, timeoutMs: until - machine.now(), stop })
    if (addresses.length > 1) found = found.successful ? { ...found, address } : failure(`${found.data} (${address})`)
    if (found.successful || until - machine.now() < timeoutMs / 2) break
  }
  return found
}

/** See RFC 8305. */
const nextMs = 250

/** In the order to try them, or why there are none. */
const addressesOf = async (machine: Machine, host: string): Promise<readonly [string, ...string[]] | string> => {
  if (isIP(host)) return [host]
  try {
    const [first, ...others] = isHost(host) ? await machine.resolve(host) : []
    return first === undefined ? `lookup ${host}: no such host` : [first, ...others]
  } catch (error) {
    return `lookup ${host}: ${toErrorText(error)}`
  }
}

type Attempt = { address: string } & ({ delay: number } | { error: string })

/** Happy Eyeballs: the first success ends the others. Returns it, or all failures. */
const dial = async (
  machine: Machine,
  addresses: readonly string[],
  { port, timeoutMs }: { port: number; timeoutMs: number },
): Promise<Attempt[]> => {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)])
  const attempt = async (address: string): Promise<Attempt> => {
    const startedAt = machine.now()
    try {
      await machine.connect(address, port, signal)
      return { address, delay: machine.now() - startedAt }
    } catch (error) {
      const text = toErrorText(error)
      return { address, error: text.startsWith('dial ') ? text : `dial tcp ${joinHostPort(address, port)}: ${text}` }
    }
  }
  const running: Promise<Attempt>[] = []
  let answered: (found: Attempt) => void = () => {}
  const answer = new Promise<Attempt>((resolve) => {
    answered = resolve
  })
  try {
    for (const address of addresses) {
      const one = attempt(address)
      running.push(one)
      void one.then((found) => 'delay' in found && answered(found))
      const isLast = running.length === addresses.length
      const wait = isLast ? Promise.all(running) : Promise.race([one, machine.sleep(nextMs, signal)])
      const found = await Promise.race([answer, wait])
      if (found && 'delay' in found) return [found]
    }
    return await Promise.race([answer.then((found) => [found]), Promise.all(running)])
  } finally {
    over.abort()
  }
}

/** Task 3: connection time without lookup, and which of several addresses answered. */
const probeTcp = async (machine: Machine, target: string, timeoutMs: number): Promise<Finding> => {
  const place = splitHostPort(target)
  if (typeof place === 'string') return failure(place)
  const addresses = await addressesOf(machine, place.host)
  if (typeof addresses === 'string') return failure(addresses)
  const attempts = await dial(machine, addresses, { port: place.port, timeoutMs })
  const [first] = attempts
  if (first && 'delay' in first) {
    const which = addresses.length > 1 ? { address: joinHostPort(first.address, place.port) } : {}
    return { successful: true, delay: first.delay, ...which }
  }
  return failure(attempts.map((one) => ('error' in one ? one.error : '')).join('; '))
}
