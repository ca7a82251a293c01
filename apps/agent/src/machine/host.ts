import { randomInt, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
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
import { fetchBytes } from './host/http.ts'
import { createNames } from './host/names.ts'
import { createNetwork } from './host/network.ts'
import { createOwnProgram } from './host/own-program.ts'
import { runCommand, runProgram } from './host/programs.ts'
import { type Leaving, supervise } from './host/supervise.ts'
import { openTerminal } from './host/terminal.ts'
import type { Machine } from './machine.ts'

/** This file and those in `host/` touch the machine and the process; everything else takes them as a parameter. */

const log = (line: string) => void process.stderr.write(`quarterdeck-agent: ${line}\n`)

/** Places for calls that may hang: files and sensors together, and look-ups of names. One of this process’s four threads is left for all else. */
const places = { files: 2, names: 1 }

/**
 * The machine this program runs on; `log` writes to stderr. What it tells of itself is read below `root`, where a test has the files of
 * another machine.
 */
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
  newSecret,
})

/** The file of this program. */
const ownFile = isSingleFile ? process.execPath : process.argv[1]!

/** Runs the agent of this program file with these arguments as a child until this process is asked to stop. */
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

/** Ends this process. Where a thread hangs, nobody else would: then its parent, which starts it again, is told the code first. */
const leave = (code: number): void => {
  if (!holdsThread()) process.exit(code)
  const kill = () => void process.kill(process.pid, 'SIGKILL')
  if (process.connected) process.send?.({ leaves: code } satisfies Leaving, undefined, undefined, kill)
  else kill()
}

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
  leave,
  supervise: superviseSelf,
  /** The program file, if a parent process or a service manager will start it again. The server has no single file to replace one with. */
  ownProgram({ isService, restart }: { isService: boolean; restart(): void }) {
    if (isSingleFile || !(process.connected || isService)) return undefined
    // A parent is told to go on; a service manager waits for the process.
    return createOwnProgram(ownFile, { restart, isHeld: () => !process.connected && holdsThread() })
  },
})
