import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { hostname, machine as kernelArch, networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SettingsSource } from '../config/settings.ts'
import { isSingleFile } from '../config/single-file.ts'
import { readCodePage } from './host/code-page.ts'
import { createDiskSpaces, createPoolSpaces } from './host/disk-spaces.ts'
import { createReading, files } from './host/files.ts'
import { createGate, holdsThread } from './host/gate.ts'
import { guardFiles } from './host/guarded-files.ts'
import { createNames } from './host/names.ts'
import { createNetwork } from './host/network.ts'
import { createOwnProgram } from './host/own-program.ts'
import { runCommand, runProgram } from './host/programs.ts'
import { type Leaving, supervise } from './host/supervise.ts'
import { openTerminal } from './host/terminal.ts'
import type { Machine } from './machine.ts'

/** Only this file and `host/` access the system. */

const log = (line: string) => void process.stderr.write(`quarterdeck-agent: ${line}\n`)

/** Calls that may hang: files and sensors, and name lookups. One of the four threads stays free. */
const places = { files: 2, names: 1 }

/** `root`: a test’s files of another host. */
export const createMachine = (root = ''): Machine => {
  const gate = createGate(places.files)
  const { read, list, readMounts } = createReading(root, gate)
  const diskSpaces = createDiskSpaces({ partMs: 1_000, silentMs: 5_000 })
  const now = () => performance.now()
  const addresses = () =>
    Object.values(networkInterfaces())
      .flatMap((found) => found ?? [])
      .filter(({ internal }) => !internal)
      .map(({ address }) => address)
  const names = createNames({ readHosts: () => read('/etc/hosts'), gate: createGate(places.names), addresses })
  const { lookup } = names
  return {
    read,
    list,
    fileSystem: guardFiles(files, { gate, readMounts, diskSpaces, now }),
    diskSpaces,
    poolSpaces: createPoolSpaces(),
    hostname,
    arch: kernelArch,
    addresses,
    resolve: names.resolve,
    fetchText: async (url, family) =>
      String(await fetchBytes(url, { family, lookup, maxBytes: 65_536, timeoutMs: 20_000 })),
    download: (url, maxBytes, insecure) => fetchBytes(url, { lookup, maxBytes, insecure, timeoutMs: 120_000 }),
    ...createNetwork(lookup),
    codePage: readCodePage,
    runCommand,
    runProgram,
    openTerminal,
    now,
    wallNow: Date.now,
    random: Math.random,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    log,
  }
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const newSecret = () => Array.from({ length: 32 }, () => letters[randomInt(letters.length)]).join('')

export const createSettingsSource = (): SettingsSource => ({
  args: process.argv.slice(2),
  env: process.env,
  readFile: (path) =>
    readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    }),
  async writeFile(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(`${path}.new`, text, { mode: 0o600 })
    await rename(`${path}.new`, path)
  },
  newUuid: randomUUID,
  newSecret,
})

const ownFile = isSingleFile ? process.execPath : process.argv[1]!

const superviseSelf = (args: string[], stop: AbortSignal): Promise<number> =>
  supervise({
    program: ownFile,
    args,
    stop,
    log,
    pauseMs: 1_000,
    maxPauseMs: 60_000,
    trialMs: 60_000,
    goodbyeMs: 5_000,
  })

/** A hung thread prevents a normal exit: then the parent gets the code first. */
const leave = (code: number): void => {
  if (!holdsThread()) process.exit(code)
  const kill = () => void process.kill(process.pid, 'SIGKILL')
  if (process.connected) process.send?.({ leaves: code } satisfies Leaving, undefined, undefined, kill)
  else kill()
}

export const createProcess = () => ({
  print: (text: string) => void process.stdout.write(`${text}\n`),
  /** On a signal, or at the end of the parent. */
  onStop(stop: () => void) {
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
    process.once('disconnect', stop)
  },
  exit: (code: number): never => process.exit(code),
  leave,
  supervise: superviseSelf,
  /** Undefined if nothing restarts the process. The server has no single file for replacement. */
  ownProgram({ isService, restart }: { isService: boolean; restart(): void }) {
    if (isSingleFile || !(process.connected || isService)) return undefined
    // A parent is told to go on; a service manager waits for the process.
    return createOwnProgram(ownFile, { restart, isHeld: () => !process.connected && holdsThread() })
  },
})

interface FetchOptions {
  maxBytes: number
  timeoutMs: number
  family?: 4 | 6
  lookup: LookupFunction
  insecure?: boolean
}

const trusted = () => {
  const path = process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH
  return path ? { ca: readFileSync(path) } : {}
}

/** Rejects on a status other than 200, a longer body and a timeout. */
const fetchBytes = (
  url: string,
  { maxBytes, timeoutMs, family, lookup, insecure = false }: FetchOptions,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const base = {
      agent: false,
      lookup,
      signal: AbortSignal.timeout(timeoutMs),
      ...(family ? { family } : {}),
    } as const
    const options = { ...base, rejectUnauthorized: !insecure }
    const request = url.startsWith('https:') ? getHttps(url, { ...options, ...trusted() }) : getHttp(url, base)
    request.on('error', reject)
    request.on('response', (response) => {
      response.on('error', reject)
      if (response.statusCode !== 200) {
        response.resume()
        return reject(new Error(`${url} answered ${response.statusCode}`))
      }
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > maxBytes) request.destroy(new Error(`${url} returned more than ${maxBytes} bytes`))
      })
      response.on('end', () => resolve(Buffer.concat(chunks)))
    })
  })
