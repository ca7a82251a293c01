import { files as realFiles } from '../../../apps/agent/src/machine/host/files.ts'
import type { DiskSpace, Machine } from '../../../apps/agent/src/machine/machine.ts'

/** A machine made of texts, for tests. */
export interface FakeMachine extends Machine {
  files: Record<string, string>
  disks: Record<string, DiskSpace | 'silent'>
  /** Moves the clock. */
  advance(ms: number): void
}

/** Files by path; a folder lists what lies below it. What is not given is answered as an empty machine would. */
export const createFakeMachine = (files: Record<string, string>, parts: Partial<Machine> = {}): FakeMachine => {
  let now = 0
  const machine: FakeMachine = {
    files: { ...files },
    disks: {},
    advance: (ms) => {
      now += ms
    },
    read: async (path) => machine.files[path] ?? '',
    fileSystem: realFiles,
    list: async (path) => {
      const prefix = path === '/' ? '/' : `${path}/`
      const below = Object.keys(machine.files).filter((file) => file.startsWith(prefix))
      return [...new Set(below.map((file) => file.slice(prefix.length).split('/')[0]!))]
    },
    diskSpaces: async (paths) =>
      new Map(paths.flatMap((path) => (machine.disks[path] ? [[path, machine.disks[path]] as const] : []))),
    poolSpaces: async () => new Map(),
    hostname: () => 'fake-host',
    arch: () => 'x86_64',
    addresses: () => [],
    resolve: async () => [],
    fetchText: () => Promise.reject(new Error('no network')),
    download: () => Promise.reject(new Error('no network')),
    getPage: () => Promise.reject(new Error('no network')),
    connect: () => Promise.reject(new Error('no network')),
    openConnection: () => Promise.reject(new Error('no network')),
    codePage: async () => undefined,
    runCommand: () => ({ ended: Promise.resolve({ code: 0 }), kill: () => undefined }),
    runProgram: () => ({ ended: Promise.resolve({ code: 0 }), kill: () => undefined }),
    openTerminal: () => Promise.reject(new Error('no shell')),
    now: () => now,
    wallNow: () => now,
    random: () => 0.5,
    sleep: () => Promise.resolve(),
    log: () => undefined,
    ...parts,
  }
  return machine
}
