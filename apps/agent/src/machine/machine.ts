import type { TerminalSize } from '@qd/protocol/stream-frames'
import type { MachineFiles } from './files/machine-files.ts'

export interface RunningCommand {
  /** Resolves when its output is closed too. Never rejects. */
  readonly ended: Promise<CommandEnd>
  /** SIGKILL to the group; `ended` follows within a second even if a child escaped it. */
  kill(): void
}

export type CommandEnd = { code: number } | { signal: string } | { error: string }

export interface ProgramRequest {
  /** Path, or name on the `PATH`. */
  file: string
  args: readonly string[]
  /** Default: the agent’s. */
  folder: string
  /** Added to a few variables of the agent. */
  env: Readonly<Record<string, string>>
  stdin: string
}

export interface Terminal {
  /** The exit status (128 + signal) once the output is delivered, or soon if nothing reads it. */
  readonly ended: Promise<number>
  write(bytes: Uint8Array): void
  resize(size: TerminalSize): void
  /** Blocks a shell that keeps printing. */
  pause(): void
  resume(): void
  /** Hangs up; remaining processes are killed after 3 s. */
  kill(): void
}

/** Stored beside the program until the server has the result. */
export interface UpdateNote {
  id: string
  from: string
  to: string
  /** Why it was rolled back. */
  failure?: string
}

/** Restarted by a supervisor or a service manager. */
export interface OwnProgram {
  hash(): Promise<string>
  /** Atomic; keeps the old program. */
  replace(bytes: Uint8Array, note: UpdateNote): Promise<void>
  note(): UpdateNote | undefined
  dropNote(): void
  /** Whether a hanging call would keep the process from ending. */
  isHeld(): boolean
  /** Ends the process, to be restarted at once. */
  restart(): void
}

export interface PageRequest {
  url: URL
  headers: Readonly<Record<string, string>>
  maxBytes: number
  timeoutMs: number
}

export interface Page {
  status: number
  reason: string
  /** `issuer`: common name. */
  certificate: { issuer: string; expiresAt: Date } | undefined
}

export interface DiskSpace {
  totalBytes: number
  usedBytes: number
}

export interface Connection {
  /** Resolves when there is room; rejects when the connection is gone. */
  write(bytes: Uint8Array): Promise<void>
  /** With back-pressure; throws when cut. */
  readonly messages: AsyncIterable<Uint8Array>
  close(): void
}

/** Everything the agent needs from its host; real in `host.ts`. */
export interface Machine {
  /** Empty if unreadable. */
  read(path: string): Promise<string>
  list(path: string): Promise<string[]>
  readonly fileSystem: MachineFiles
  /** Never late because of a hanging file system: that one is `silent`. Unavailable paths are left out. */
  diskSpaces(paths: readonly string[]): Promise<ReadonlyMap<string, DiskSpace | 'silent'>>
  poolSpaces(names: readonly string[]): Promise<ReadonlyMap<string, DiskSpace>>
  hostname(): string
  /** The kernel’s, such as `x86_64`. */
  arch(): string
  /** Without loopback. */
  addresses(): string[]
  /** In the order to try them; empty if unknown. Rejects if no name server answers. */
  resolve(host: string): Promise<string[]>
  /** Rejects after 20 s and on a status other than 200. */
  fetchText(url: string, family: 4 | 6): Promise<string>
  /** Rejects after 2 min, on a status other than 200 and a longer body. */
  download(url: string, maxBytes: number, insecure: boolean): Promise<Uint8Array>
  /** Redirects aren’t followed. */
  getPage(request: PageRequest): Promise<Page>
  /** Also rejects when the signal is aborted. */
  connect(address: string, port: number, signal: AbortSignal): Promise<void>
  /** `target`: `host:port`. */
  openConnection(target: string): Promise<Connection>
  /** TextDecoder’s name of the host’s character set; undefined for UTF-8 or unknown. */
  codePage(): Promise<string | undefined>
  /** stdout and stderr in order, in an own process group. */
  runCommand(command: string, onOutput: (chunk: Uint8Array) => void): RunningCommand
  /** Errors are the fixed texts of agent contract 3.10. */
  runProgram(
    request: ProgramRequest,
    outputs: { onOutput(chunk: Uint8Array): void; onErrors(chunk: Uint8Array): void },
  ): RunningCommand
  /** `program`: an argument vector in place of the user’s shell. Rejects with a sentence without terminal module or shell. */
  openTerminal(
    size: TerminalSize,
    onOutput: (chunk: Uint8Array) => void,
    program?: readonly string[],
  ): Promise<Terminal>
  /** Monotonic ms. */
  now(): number
  /** Epoch ms. */
  wallNow(): number
  /** In [0, 1). */
  random(): number
  /** Also resolves when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  log(line: string): void
}
