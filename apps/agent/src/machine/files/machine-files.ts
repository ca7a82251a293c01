/** What is neither a file, a folder nor a link, as messages name it. */
export type SpecialFile = 'named pipe (FIFO)' | 'socket' | 'character device' | 'block device'

/** What a path leads to. `modified`: Unix seconds; `mode`: permission bits. */
export interface FileStatus {
  kind: 'dir' | 'symlink' | 'file' | 'special'
  /** What it is, of kind `special`. */
  special?: SpecialFile | undefined
  /** 0 for many files of the kernel (/proc), and more than there is for others (/sys). */
  size: number
  mode: number
  modified: number
}

/** An opened file. Errors: all calls reject with the system's error. */
export interface OpenedFile {
  status(): Promise<FileStatus>
  /** So many bytes from there on, fewer only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>
  write(bytes: Uint8Array, position: number): Promise<void>
  setMode(mode: number): Promise<void>
  cut(size: number): Promise<void>
  close(): Promise<void>
}

/** How a file is opened: to be read; made, and refused where it is there; what is there kept or not, and made where it is not. */
export type Opening = 'read' | 'new' | 'keep' | 'replace'

/** A SHA-256 that is being made. */
export interface Checksum {
  add(bytes: Uint8Array): void
  bytes(): Uint8Array
}

/** The machine's files. Paths as `fromPathBytes` of the protocol writes them. Errors: all calls reject with the system's error. */
export interface MachineFiles {
  readonly separator: '/' | '\\'
  /** Home of the user that the agent runs as, from the user database; undefined where there is none. */
  home(): string | undefined
  /** Names in a folder, sorted by their bytes. */
  names(path: string): Promise<{ name: string; isFolder: boolean }[]>
  /** Of the path itself, or of what a link leads to. */
  status(path: string, options?: { follow: boolean }): Promise<FileStatus>
  linkTarget(path: string): Promise<string>
  /** The path without links. */
  realPath(path: string): Promise<string>
  open(path: string, how: Opening, mode?: number): Promise<OpenedFile>
  makeFolder(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** A file, a link, or an empty folder. */
  remove(path: string, isFolder: boolean): Promise<void>
  checksum(): Checksum
}
