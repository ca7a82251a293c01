import type { FileAbility } from '@qd/protocol/files'

export type { FileAbility }

/** What a name in a folder is. `link`: only where details tell; without them a link is a file. `other`: a device, pipe or socket. */
export type FileKind = 'folder' | 'file' | 'link' | 'other'

/** One name in a folder. A name may hold any character but `/`, and lone surrogates where it is no UTF-8: `shownName` makes it fit for screens. */
export interface FileEntry {
  name: string
  kind: FileKind
  /** Bytes; absent where only the name is known. */
  size?: number
  /** Epoch ms. */
  modified?: number
  /** Octal text, such as `0644`. */
  mode?: string
  /** Where a link leads. */
  target?: string
}

/** What is in a folder, in the order of the agent. */
export interface FolderList {
  /** The folder that was listed, without a slash at its end (but `/`, `C:\`). */
  path: string
  entries: readonly FileEntry[]
  /** The folder asked for could not be read, and the agent listed its home (`path`) instead. */
  isElsewhere: boolean
  /** Entries are missing: the answer was cut short. */
  isCut: boolean
}

/** How far a transfer is. `stalled`: nothing has moved for 15 s (behaviour N-14). */
export interface TransferProgress {
  /** Bytes moved, those of an earlier try included. */
  done: number
  /** Bytes of the file. */
  total: number
  stalled: boolean
}

/** Where a download goes. A slow sink holds the transfer back. The caller opens and closes it. */
export interface FileSink {
  /** Told once before the first bytes, also for a file of none. */
  begin?(size: number): void | Promise<void>
  write(bytes: Uint8Array): void | Promise<void>
}

/** Where an upload comes from. */
export interface FileSource {
  /** Bytes; fixed while it is sent. */
  size: number
  /** So many bytes from there on; fewer only if the source has shrunk, which ends the transfer with `fileShrank`. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/** What every transfer may be told. */
export interface TransferOptions {
  /** Cancels: the stream is closed, and the promise rejects with `cancelled`. */
  signal?: AbortSignal
  onProgress?(progress: TransferProgress): void
}

/** More for an upload: what to do if the name is taken. `keep-both` sends under a free name (`a (2).txt`). Default `replace`. */
export interface UploadOptions extends TransferOptions {
  conflict?: 'replace' | 'keep-both' | 'fail'
  /** Goes on after what an earlier try left there; only with the ability `resume`. */
  resume?: boolean
}

/** What came of an upload. `sha256`: of the whole file as the agent wrote it, in hex; null where the agent does not tell. */
export interface Uploaded {
  path: string
  size: number
  sha256: string | null
}

/** What came of a download. `grew`: the file had become longer than it said; the bytes it had said were taken. */
export interface Downloaded {
  size: number
  grew: boolean
}

/** A part of a file. `offset`: where it begins; `sha256` of these bytes; `isAll`: nothing comes after them. */
export interface FileRange {
  offset: number
  bytes: Uint8Array
  sha256: string
  isAll: boolean
}

/** A checksum of a whole file. */
export interface FileChecksum {
  sha256: string
  size: number
}

/**
 * Files of one server. Nothing is opened before the first call; calls may run side by side. Every promise rejects with an `AppError`: `failed`
 * with the agent's `text`, `fileIncomplete` for a broken upload (`path`, `done`, `total`), `fileStalled`, `fileShrank` (`path`, `done`,
 * `total`), `fileExists` (`name`), `streamEnded` (`reason`: why the server closed), `unsupported` (`ability`), `cancelled`, or what the API answers.
 */
export interface FileSession {
  /** Opens the session and says what it can besides list, download and upload. Later calls answer the same. */
  abilities(): Promise<ReadonlySet<FileAbility>>
  /** What is in a folder; an empty path is the home of the agent's user, `~` and `~/x` are below it. */
  list(path: string): Promise<FolderList>
  /** The same with sizes and times, at most 5,000 entries. Ability `details`. */
  details(path: string): Promise<FolderList>
  /** A whole file, or with the ability `resume` what comes after the first `offset` bytes. A folder or an empty file of an existing agent fails in its words. */
  download(path: string, sink: FileSink, options?: TransferOptions & { offset?: number }): Promise<Downloaded>
  upload(path: string, source: FileSource, options?: UploadOptions): Promise<Uploaded>
  /** At most 1 MiB. A negative `offset` counts from the end, only with the ability `resume`. Ability `read`. */
  readRange(path: string, range: { offset: number; length: number }): Promise<FileRange>
  /** How many files and folders went. Ability `delete`. */
  remove(path: string, options?: { recursive?: boolean }): Promise<number>
  /** Ability `folders`. A folder that is there already is fine. */
  makeFolder(path: string): Promise<void>
  /** Ability `rename`; never over something that is there (`failed`). */
  rename(from: string, to: string): Promise<void>
  /** Ability `checksum`. */
  checksum(path: string, options?: { signal?: AbortSignal }): Promise<FileChecksum>
  /** Ends everything that is under way; its promises reject with `cancelled`. */
  close(): void
}
