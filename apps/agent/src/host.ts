import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, statfs, writeFile } from 'node:fs/promises'
import { machine as kernelArch, networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { files } from './host/files.ts'
import { fetchBytes } from './host/http.ts'
import { connect, getPage, openConnection } from './host/network.ts'
import { createOwnProgram } from './host/own-program.ts'
import { runCommand, runProgram } from './host/programs.ts'
import { supervise } from './host/supervise.ts'
import { openTerminal } from './host/terminal.ts'
import type { Machine } from './machine.ts'
import type { SettingsSource } from './settings.ts'

/** This file and those in `host/` touch the machine and the process; everything else takes them as a parameter. */

/** True for files that the kernel keeps in memory: a direct read is faster than one in a thread. A sensor may be slow. */
const isFast = (path: string): boolean => path.startsWith('/proc')

const orElse = async <T>(fallback: T, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch {
    return fallback
  }
}

const log = (line: string) => void process.stderr.write(`quarterdeck-agent: ${line}\n`)

/** The machine this program runs on; `log` writes to stderr. A disk that does not answer within a second is left out. */
export const createMachine = (): Machine => ({
  read: (path) => orElse('', () => (isFast(path) ? readFileSync(path, 'utf8') : readFile(path, 'utf8'))),
  list: (path) => orElse<string[]>([], () => (isFast(path) ? readdirSync(path) : readdir(path))),
  fileSystem: files,
  diskSpace: (path) =>
    Promise.race([statfs(path), sleep(1000, undefined, { ref: false })]).then(
      (space) =>
        space && { totalBytes: space.bsize * space.blocks, usedBytes: space.bsize * (space.blocks - space.bfree) },
      () => undefined,
    ),
  arch: kernelArch,
  addresses: () =>
    Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal }) => !internal)
      .map(({ address }) => address),
  resolve: (host) =>
    lookup(host, { all: true }).then(
      (found) => found.map(({ address }) => address),
      () => [],
    ),
  fetchText: async (url, family) => String(await fetchBytes(url, { family, mostBytes: 65_536, timeoutMs: 20_000 })),
  download: (url, mostBytes, insecure) => fetchBytes(url, { mostBytes, insecure, timeoutMs: 120_000 }),
  getPage,
  connect,
  openConnection,
  runCommand,
  runProgram,
  openTerminal,
  now: () => performance.now(),
  wallNow: Date.now,
  random: Math.random,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
  log,
})

/** Where this program's settings come from. */
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
})

/** Runs the agent of this program file with these arguments as a child until this process is asked to stop. */
const superviseSelf = (args: string[], stop: AbortSignal): Promise<number> =>
  supervise({
    program: process.argv[1]!,
    args,
    stop,
    log,
    pauseMs: 1_000,
    mostPauseMs: 60_000,
    trialMs: 60_000,
    goodbyeMs: 5_000,
  })

/** This process: its output, the request to stop, and its end. */
export const createProcess = () => ({
  print: (text: string) => void process.stdout.write(`${text}\n`),
  /** Asked by a signal, or by the end of the parent that started this process with a channel. */
  onStop(stop: () => void) {
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
    process.once('disconnect', stop)
  },
  exit: (code: number): never => process.exit(code),
  supervise: superviseSelf,
  /** The program file, if a parent process will start it again. */
  ownProgram: (restart: () => void) => (process.connected ? createOwnProgram(process.argv[1]!, restart) : undefined),
})
