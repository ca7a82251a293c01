import { concat, createReader, toBytes } from '../bytes.ts'
import { fileMarks, filePieceBytes, markOf, parseFileError } from './frames.ts'
import { fromPathBytes, toPathBytes } from './names.ts'

/** A link to a folder counts as a file. */
export interface ListedName {
  name: string
  isFolder: boolean
}

/** A response to a list request. `path` is the folder that the agent listed, perhaps not the requested one. */
export interface Listing {
  path: string
  names: readonly ListedName[]
  /** Whether the bytes ended inside a name. */
  isCut: boolean
}

/** `maybe`: complete unless another message follows at once. */
export type ListingState =
  | { kind: 'waiting' }
  | { kind: 'maybe'; listing: Listing }
  | { kind: 'done'; listing: Listing }
  | { kind: 'error'; text: string }

/**
 * Assembles a listing from messages in order. A server cuts a listing above 1 MiB into pieces of exactly 1 MiB, and only the first has the mark,
 * so a full piece may be followed by another. Earlier messages without the mark are skipped. Source: contract http-api 5.5.
 */
export const createListing = (): { push(message: Uint8Array): ListingState } => {
  const parts: Uint8Array[] = []
  return {
    push(message) {
      if (parts.length === 0 && markOf(message) !== 'listing') {
        const text = parseFileError(message)
        return text === undefined ? { kind: 'waiting' } : { kind: 'error', text }
      }
      parts.push(message)
      const isFull = message.length > 0 && message.length % filePieceBytes === 0
      const listing = parseListing(concat(parts))
      return isFull ? { kind: 'maybe', listing } : { kind: 'done', listing }
    },
  }
}

/** Never throws: a listing that ends too early is cut. */
const parseListing = (bytes: Uint8Array): Listing => {
  const reader = createReader(bytes.subarray(4))
  const names: ListedName[] = []
  let path = ''
  try {
    path = fromPathBytes(reader.take(reader.u32()))
    while (reader.left > 0) {
      const isFolder = reader.u8() === 1
      const name = fromPathBytes(reader.take(reader.u8()))
      if (isOneName(name)) names.push({ name, isFolder })
    }
    return { path, names, isCut: false }
  } catch {
    return { path, names, isCut: true }
  }
}

/** Whether a name stays in its folder. */
const isOneName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)

/** Leaves out names above 255 bytes, which don’t fit. Source: agent contract 6.3. */
export const toListingFrame = (path: string, names: readonly ListedName[]): Uint8Array => {
  const where = toPathBytes(path)
  const parts = [toBytes(fileMarks.listing, { u32: where.length }, where)]
  for (const { name, isFolder } of names) {
    const bytes = toPathBytes(name)
    if (bytes.length <= 255) parts.push(Uint8Array.of(isFolder ? 1 : 0, bytes.length), bytes)
  }
  // Not `toBytes`: a call can’t take 100,000 arguments.
  return concat(parts)
}
