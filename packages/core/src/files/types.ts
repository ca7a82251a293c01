import type { FileAbility } from '@qd/protocol/files'

export type { FileAbility }

/** `link`: only with details; otherwise a link counts as a file. `other`: a device, pipe or socket. */
export type FileKind = 'folder' | 'file' | 'link' | 'other'

/** A name may hold any character but `/`, and lone surrogates for bytes that aren’t UTF-8: use `shownName` on screens. */
export interface FileEntry {
  name: string
  kind: FileKind
  /** Bytes; absent if only the name is known. */
  size?: number
  modified?: number
  /** Octal text, such as `0644`. */
  mode?: string
  target?: string
}

/** The entries of a folder, in the agent’s order. */
export interface FolderList {
  /** Without a trailing slash (except `/` and `C:\`). */
  path: string
  entries: readonly FileEntry[]
  /** The agent couldn’t read the requested folder and listed its home (`path`) instead. */
  isElsewhere: boolean
  isCut: boolean
}

/** In bytes. `stalled`: nothing has moved for 15 s (behavior N-14). */
export interface TransferProgress {
  /** Includes the bytes of an earlier, resumed try. */
  done: number
  total: number
  stalled: boolean
}

/** Where a download goes. A slow sink holds the transfer back. The caller opens and closes it. */
export interface FileSink {
  /** Called once before the first bytes, also for an empty file. */
  begin?(size: number): void | Promise<void>
  write(bytes: Uint8Array): void | Promise<void>
}

export interface FileSource {
  /** Bytes; must not change during the upload. */
  size: number
  /** Returns fewer bytes only if the source has shrunk, which ends the transfer with `fileShrank`. */
  read(offset: number, length: number): Promise<Uint8Array>
}

export interface TransferOptions {
  /** Aborting rejects the transfer with `cancelled`. */
  signal?: AbortSignal
  onProgress?(progress: TransferProgress): void
}

/** `conflict`: what to do if the name is taken (default `replace`). `keep-both` uploads under a free name (`a (2).txt`). */
export interface UploadOptions extends TransferOptions {
  conflict?: 'replace' | 'keep-both' | 'fail'
  /** Continues an earlier try; requires the ability `resume`. */
  resume?: boolean
}

/** `sha256`: of the whole file as written, in hex; null if the agent doesn’t report it. */
export interface Uploaded {
  path: string
  size: number
  sha256: string | null
}

/** `grew`: the file became longer than announced; only the announced bytes were taken. */
export interface Downloaded {
  size: number
  grew: boolean
}

/** `sha256`: of these bytes. `isAll`: nothing comes after them. */
export interface FileRange {
  offset: number
  bytes: Uint8Array
  sha256: string
  isAll: boolean
}

export interface FileChecksum {
  sha256: string
  size: number
}

/**
 * The files of one server. Opens nothing before the first call; calls may run concurrently. Rejects with an `AppError`: `failed` with the agent’s
 * `text`, `fileIncomplete` for a broken upload (`path`, `done`, `total`), `fileStalled`, `fileShrank` (`path`, `done`, `total`), `fileExists`
 * (`name`), `streamEnded` (`reason`: why the server closed), `unsupported` (`ability`), `cancelled`, or errors of the API.
 */
export interface FileSession {
  /** What the session can do besides list, download and upload. */
  abilities(): Promise<ReadonlySet<FileAbility>>
  /** An empty path is the home folder of the agent’s user; `~` and `~/x` are below it. */
  list(path: string): Promise<FolderList>
  /** With sizes and times, at most 5,000 entries. Ability `details`. */
  details(path: string): Promise<FolderList>
  /** `offset` requires the ability `resume`. A folder, or an empty file of a Nezha agent, fails with the agent’s text. */
  download(path: string, sink: FileSink, options?: TransferOptions & { offset?: number }): Promise<Downloaded>
  upload(path: string, source: FileSource, options?: UploadOptions): Promise<Uploaded>
  /** At most 1 MiB. A negative `offset` counts from the end and requires the ability `resume`. Ability `read`. */
  readRange(path: string, range: { offset: number; length: number }): Promise<FileRange>
  remove(path: string, options?: { recursive?: boolean }): Promise<number>
  /** Ability `folders`. Succeeds if the folder exists. */
  makeFolder(path: string): Promise<void>
  /** Ability `rename`. Fails (`failed`) rather than replace something. */
  rename(from: string, to: string): Promise<void>
  checksum(path: string, options?: { signal?: AbortSignal }): Promise<FileChecksum>
  /** Rejects everything in progress with `cancelled`. */
  close(): void
}
