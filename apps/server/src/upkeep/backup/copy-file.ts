import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Node has it, its types do not. */
declare const WebAssembly: { Memory: new (size: { initial: number }) => { buffer: ArrayBuffer } }

const pieceBytes = 1024 * 1024
/** A direct write needs a whole number of blocks. */
const blockBytes = 4096
/** After each piece the disk is left to others for so many times as long as the piece took, and for so long at least. */
const rest = { times: 4, leastMs: 25 }

/**
 * Copies an open file in pieces with rests, past the system's cache where it can be gone past: what waits there to be written holds up every
 * other program's commit to the same disk. Ends when what the file had at the start is on the disk.
 */
export async function copyFile(source: number, to: string): Promise<void> {
  // Memory of WebAssembly begins at a block, as direct writes need it.
  const piece = new Uint8Array(new WebAssembly.Memory({ initial: pieceBytes / 65_536 }).buffer)
  const target = openTarget(to)
  try {
    const { size } = fstatSync(source)
    for (let at = 0; at < size; ) {
      const begun = performance.now()
      const read = readSync(source, piece, 0, Math.min(pieceBytes, size - at), at)
      if (read === 0) break
      const whole = target.isDirect ? Math.ceil(read / blockBytes) * blockBytes : read
      for (let written = 0; written < whole; )
        written += writeSync(target.file, piece, written, whole - written, at + written)
      if (!target.isDirect) fdatasyncSync(target.file)
      at += read
      await sleep(Math.max(rest.leastMs, rest.times * (performance.now() - begun)))
    }
    ftruncateSync(target.file, size)
    fdatasyncSync(target.file)
  } finally {
    closeSync(target.file)
  }
}

/** Opens a new file, past the system's cache where both the system and the file system can. */
function openTarget(to: string): { file: number; isDirect: boolean } {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC
  if (constants.O_DIRECT !== undefined) {
    try {
      return { file: openSync(to, flags | constants.O_DIRECT, 0o600), isDirect: true }
    } catch (error) {
      if ((error as { code?: string }).code !== 'EINVAL') throw error
    }
  }
  return { file: openSync(to, flags, 0o600), isDirect: false }
}
