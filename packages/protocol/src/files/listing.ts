import { concat, createReader, toBytes } from '../bytes.ts'
import { fileMarks, filePieceBytes, markOf, parseFileError } from './frames.ts'
import { fromPathBytes, toPathBytes } from './names.ts'

/** A name in a folder. A link to a folder is no folder here. */
export interface ListedName {
  name: string
  isFolder: boolean
}

/** What an agent answers to a list request; `path` is the folder that it really listed. */
export interface Listing {
  path: string
  names: readonly ListedName[]
  /** The bytes ended inside a name: what came is shown, what is missing cannot be. */
  isCut: boolean
}

/** How a listing stands after a message. `maybe`: complete unless another message follows at once. */
export type ListingState =
  | { kind: 'waiting' }
  | { kind: 'maybe'; listing: Listing }
  | { kind: 'done'; listing: Listing }
  | { kind: 'error'; text: string }

/**
 * Puts a listing together, without any input or output: it is given the messages in order and says how it stands. A server cuts a listing
 * above 1 MiB into pieces of exactly 1 MiB and only the first has the mark, so a full piece may be followed by another. Messages before the
 * mark are what is left of something else, and are passed over. Source: contract http-api 5.5.
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

/** Reads a whole listing. Never throws: what ends too early is cut. */
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

/** What cannot be the name of an entry would lead out of its folder. */
const isOneName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)

/** The message of a listing. A name above 255 bytes has no place in it and is left out. Source: agent contract 6.3. */
export const toListingFrame = (path: string, names: readonly ListedName[]): Uint8Array => {
  const where = toPathBytes(path)
  const parts = [toBytes(fileMarks.listing, { u32: where.length }, where)]
  for (const { name, isFolder } of names) {
    const bytes = toPathBytes(name)
    if (bytes.length <= 255) parts.push(Uint8Array.of(isFolder ? 1 : 0, bytes.length), bytes)
  }
  // Not `toBytes`: a call takes no 100,000 parameters.
  return concat(parts)
}
