import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url))
const settingsOfNode = (name: string) => JSON.parse(readFileSync(join(root, 'apps/server', name), 'utf8'))
/** Flags and environment of Node, as `npm start` gives them. */
export const flags: readonly string[] = settingsOfNode('node-flags.json')
export const environment: NodeJS.ProcessEnv = { ...settingsOfNode('node-env.json'), ...process.env }
export const password = 'bench password'
export const secret = 'bench-agent-secret-0123456789abcd'

/** A built server as its own process, so that its CPU and memory are its own. */
export interface Product {
  /** Of the server's process. */
  pid: number
  origin: string
  port: number
  /** Spawn to the ready line, in ms. */
  startedInMs: number
  /** CPU seconds used since the start, and resident bytes now. */
  usage(): { cpuSeconds: number; residentBytes: number }
  /** Starts so many simulated agents in a process of their own; resolves when all have reported. */
  agents(count: number, intervalMs: number): Promise<void>
  /** The flags of `agents.ts` for agents of this server. */
  fleetFlags(count: number, intervalMs: number): string[]
  signIn(): Promise<{ cookie: string; csrf: string }>
  /** Lines of its log that have this text. */
  logged(text: string): string[]
  close(): Promise<void>
}

/** Starts the built server on a folder, which stays; without one on a fresh one. `home`: the checkout whose build it is. */
export async function startProduct(
  folder?: string,
  settings: Record<string, string> = {},
  more: readonly string[] = [],
  home = root,
): Promise<Product> {
  const data = folder ?? mkdtempSync(join(tmpdir(), 'qd-bench-'))
  const started = performance.now()
  const server = spawn(
    process.execPath,
    [...flags, join(home, 'apps/server/dist/main.js'), '--port', '0', '--data', data, '--no-agent', ...more],
    {
      env: { ...environment, QD_ADMIN_PASSWORD: password, QD_AGENT_SECRET: secret, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
  })
  const origin = await lineOf(server, /^Quarterdeck is ready: (\S+)\/dashboard$/m)
  const startedInMs = performance.now() - started
  const port = Number(new URL(origin).port)
  const children: ChildProcess[] = [server]
  const fleetFlags = (count: number, intervalMs: number) =>
    Object.entries({ port, secret, count, interval: intervalMs }).flatMap(([name, value]) => [`--${name}`, `${value}`])

  return {
    pid: server.pid!,
    origin,
    port,
    startedInMs,
    usage: () => usageOf(server.pid!),
    async agents(count, intervalMs) {
      const args = ['--import', 'tsx', join(root, 'tests/bench/agents.ts'), ...fleetFlags(count, intervalMs)]
      const agents = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      children.unshift(agents)
      await lineOf(agents, /^(\d+) agents report$/m)
    },
    fleetFlags,
    async signIn() {
      const answer = await fetch(`${origin}/api/v1/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password }),
      })
      const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
      const csrf = cookies.find((cookie) => cookie.startsWith('nz-csrf='))?.slice('nz-csrf='.length) ?? ''
      return { cookie: cookies.join('; '), csrf }
    },
    logged: (text) => log.split('\n').filter((line) => line.includes(text)),
    async close() {
      for (const child of children) await ended(child)
      if (folder === undefined) rmSync(data, { recursive: true, force: true })
    },
  }
}

/** The first group of a line that a process prints. Errors: rejects if it ends before. */
export function lineOf(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const found = pattern.exec(text)
      if (found) resolve(found[1]!)
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code} before ${pattern}`)))
  })
}

/** Asks a process to end and waits for it. */
export function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

/** Clock ticks per second and page size of Linux on the machines we run on. */
const ticksPerSecond = 100
const pageBytes = 4096

/** CPU seconds that a process has used, and its resident bytes now. */
export function usageOf(pid: number): { cpuSeconds: number; childSeconds: number; residentBytes: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / ticksPerSecond
  return { cpuSeconds: seconds(11), childSeconds: seconds(13), residentBytes: pages * pageBytes }
}
