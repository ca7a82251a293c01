import type { TerminalSize } from '@qd/protocol/stream-frames'
import type { MachineFiles } from './files/machine-files.ts'

/** A command that was started. */
export interface RunningCommand {
  /** Resolves when it has ended and nobody holds its output open any more. Never rejects. */
  readonly ended: Promise<CommandEnd>
  /** SIGKILL to its whole process group; then `ended` comes within a second even if a child escaped the group. */
  kill(): void
}

/** How a command ended: an exit code, a signal by name (`SIGKILL`), or why it could not be started. */
export type CommandEnd = { code: number } | { signal: string } | { error: string }

/** A program to be started without a shell. */
export interface ProgramRequest {
  /** Path, or name to look for on the `PATH`. */
  file: string
  args: readonly string[]
  /** Working folder; the agent's own when empty. */
  folder: string
  /** Added to a few plain variables of the agent's own environment. */
  env: Readonly<Record<string, string>>
  /** All that the program can read. */
  stdin: string
}

/** A shell in a terminal of its own. */
export interface Terminal {
  /** Resolves with its exit status (128 and the signal's number where a signal ended it) when the shell has ended and its output is delivered, or a moment later when nothing reads it. */
  readonly ended: Promise<number>
  write(bytes: Uint8Array): void
  resize(size: TerminalSize): void
  /** Stops the output until `resume`; a shell that continues to print is blocked. */
  pause(): void
  resume(): void
  /** Hangs up on the shell and the job in its foreground; 3 s later the remaining processes are killed. */
  kill(): void
}

/** The note on an update, stored beside the program until the server has received the result. */
export interface UpdateNote {
  /** Id of the task that asked for the update. */
  id: string
  /** The versions before and after. */
  from: string
  to: string
  /** Why the new program was replaced by the previous one; absent if it has not failed. */
  failure?: string
}

/** The program file of this agent, which a supervisor or a service manager starts again when it ends. */
export interface OwnProgram {
  /** SHA-256 of the running program, in hex. */
  hash(): Promise<string>
  /** Puts a new program in its place in one step and keeps the old one beside it. */
  replace(bytes: Uint8Array, note: UpdateNote): Promise<void>
  note(): UpdateNote | undefined
  dropNote(): void
  /** Whether a call to the system hangs and would keep the process from ending, so that nothing would start the new program. */
  isHeld(): boolean
  /** Leaves in order and ends the process so that it is started again at once. */
  restart(): void
}

/** How a page is asked for. */
export interface PageRequest {
  url: URL
  headers: Readonly<Record<string, string>>
  /** Most bytes of the body to read; the rest is ignored. */
  maxBytes: number
  /** Time limit from the first packet to the end of the body. */
  timeoutMs: number
}

/** How a page was answered, whatever its status. */
export interface Page {
  status: number
  /** Words of the status line, for example `Not Found`. */
  reason: string
  /** The certificate that the host showed over TLS; `issuer` is a common name. */
  certificate: { issuer: string; expiresAt: Date } | undefined
}

/** Space of one mounted file system, in bytes. */
export interface DiskSpace {
  totalBytes: number
  usedBytes: number
}

/** A connection that bytes go over in both directions. */
export interface Connection {
  /** Resolves when there is room for more. Errors: rejects when the connection is gone. */
  write(bytes: Uint8Array): Promise<void>
  /** What the other end sends, held back while nobody takes it; ends with the connection. Errors: throws when it is cut. */
  readonly messages: AsyncIterable<Uint8Array>
  close(): void
}

/** Everything the agent needs from the machine it runs on; `host.ts` is the real one, tests bring their own. */
export interface Machine {
  /** Text of a small file, empty when it cannot be read. */
  read(path: string): Promise<string>
  /** Names in a folder, empty when it cannot be read. */
  list(path: string): Promise<string[]>
  /** What the file manager works with. */
  readonly fileSystem: MachineFiles
  /**
   * Space of the file systems at these paths, never late because one of them hangs: that one is `silent`. A path that can’t be asked, such as
   * one that isn’t there, is left out.
   */
  diskSpaces(paths: readonly string[]): Promise<ReadonlyMap<string, DiskSpace | 'silent'>>
  /** Space of whole ZFS pools, as ZFS says; none where it doesn’t. */
  poolSpaces(names: readonly string[]): Promise<ReadonlyMap<string, DiskSpace>>
  /** The host's own name. */
  hostname(): string
  /** Kernel's name of the processor architecture, for example `x86_64`. */
  arch(): string
  /** Addresses of the machine's own interfaces, loopback left out. */
  addresses(): string[]
  /** IP addresses that a host name stands for, in the order to try them; none when it does not resolve. Errors: rejects if no name server answers. */
  resolve(host: string): Promise<string[]>
  /** Body of an HTTP answer over one IP family. Errors: rejects after 20 s and on everything but status 200. */
  fetchText(url: string, family: 4 | 6): Promise<string>
  /** Body of an HTTP answer. Errors: rejects after 2 min, on everything but status 200, and on a longer body. */
  download(url: string, maxBytes: number, insecure: boolean): Promise<Uint8Array>
  /** Answer to a GET with its body read, redirects not followed. Errors: rejects with the system's error. */
  getPage(request: PageRequest): Promise<Page>
  /** Connects to an IP address and hangs up. Errors: rejects with the system's error, and when the signal is aborted. */
  connect(address: string, port: number, signal: AbortSignal): Promise<void>
  /** Opens a connection to `host:port`. Errors: rejects with the system's error. */
  openConnection(target: string): Promise<Connection>
  /** The character set that programs of this host write in, as TextDecoder calls it; undefined for UTF-8, or if it isn’t known. */
  codePage(): Promise<string | undefined>
  /** Starts a shell command in a process group of its own; stdout and stderr arrive together, in order. */
  runCommand(command: string, onOutput: (chunk: Uint8Array) => void): RunningCommand
  /** Starts a program in a process group of its own; an error of its end is one of the fixed texts of agent contract 3.10. */
  runProgram(
    request: ProgramRequest,
    outputs: { onOutput(chunk: Uint8Array): void; onErrors(chunk: Uint8Array): void },
  ): RunningCommand
  /** Starts the user's shell. Errors: rejects with a sentence when there is no terminal module or no shell. */
  openTerminal(size: TerminalSize, onOutput: (chunk: Uint8Array) => void): Promise<Terminal>
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Milliseconds since 1970, for times that other machines read. */
  wallNow(): number
  /** A random number, at least 0 and below 1. */
  random(): number
  /** Resolves after so many milliseconds, at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** One line for the operator. */
  log(line: string): void
}
