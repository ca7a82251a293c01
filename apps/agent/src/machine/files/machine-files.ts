export type SpecialFile = 'named pipe (FIFO)' | 'socket' | 'character device' | 'block device'

export interface FileStatus {
  kind: 'dir' | 'symlink' | 'file' | 'special'
  special?: SpecialFile | undefined
  /** 0 for many kernel files (/proc), too large for others (/sys). */
  size: number
  mode: number
  modified: number
}

export interface OpenedFile {
  status(): Promise<FileStatus>
  /** Fewer bytes only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>
  write(bytes: Uint8Array, position: number): Promise<void>
  setMode(mode: number): Promise<void>
  cut(size: number): Promise<void>
  close(): Promise<void>
}

/** `new` fails if the file exists; `keep` and `replace` create it if missing. */
export type Opening = 'read' | 'new' | 'keep' | 'replace'

export interface Checksum {
  add(bytes: Uint8Array): void
  bytes(): Uint8Array
}

/** Paths as from `fromPathBytes`. All calls reject with the system’s error. */
export interface MachineFiles {
  readonly separator: '/' | '\\'
  home(): string | undefined
  names(path: string): Promise<{ name: string; isFolder: boolean }[]>
  status(path: string, options?: { follow: boolean }): Promise<FileStatus>
  linkTarget(path: string): Promise<string>
  realPath(path: string): Promise<string>
  open(path: string, how: Opening, mode?: number): Promise<OpenedFile>
  makeFolder(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  remove(path: string, isFolder: boolean): Promise<void>
  checksum(): Checksum
}
