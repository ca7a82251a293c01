import { concat } from '@qd/protocol/bytes'
import { AppError } from '../../errors.ts'
import { shownName } from '../shown-name.ts'
import type { FileSession } from '../types.ts'

/** Bytes of the largest file that can be edited in place. */
export const maxEditBytes = 1024 * 1024

/** A text for an editor, and the file as it was read. */
export interface EditedText {
  /** With `\n` as line ends, whatever the file has. */
  readonly text: string
  readonly isCrlf: boolean
  readonly bytes: Uint8Array
}

/** `changed`: somebody else changed the file meanwhile. */
export type SavedText = { kind: 'saved' } | { kind: 'changed'; theirs: EditedText | null }

/** Null if the file is too large, not UTF-8, or has mixed line endings. */
export function textToEdit(bytes: Uint8Array): EditedText | null {
  if (bytes.length > maxEditBytes || bytes.includes(0)) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const isCrlf = text.includes('\r')
    const plain = text.replaceAll('\r\n', '\n')
    if (plain.includes('\r') || (isCrlf && plain.replaceAll('\n', '\r\n') !== text)) return null
    return { text: plain, isCrlf, bytes }
  } catch {
    return null
  }
}

/** Errors: `tooLarge` with the path, those of `download`. */
export async function readWhole(session: FileSession, path: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  await session.download(path, {
    begin(size) {
      if (size > maxEditBytes)
        throw new AppError('tooLarge', { mostMib: maxEditBytes / 1024 / 1024, text: shownName(path) })
    },
    write: (bytes) => void pieces.push(bytes.slice()),
  })
  return concat(pieces)
}

/** Null if the file can’t be edited as text. */
export async function readText(session: FileSession, path: string): Promise<EditedText | null> {
  try {
    return textToEdit(await readWhole(session, path))
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'tooLarge') return null
    throw thrown
  }
}

/** Saves if the file is unchanged since it was read. `copy`: saves under a free name without checking. */
export async function saveText(
  session: FileSession,
  { path, before, text, copy }: { path: string; before: EditedText; text: string; copy?: boolean },
): Promise<SavedText> {
  if (!copy) {
    const now = await readText(session, path)
    const isSame =
      now !== null &&
      now.bytes.length === before.bytes.length &&
      now.bytes.every((byte, at) => byte === before.bytes[at])
    if (!isSame) return { kind: 'changed', theirs: now }
  }
  const bytes = new TextEncoder().encode(before.isCrlf ? text.replaceAll('\n', '\r\n') : text)
  await session.upload(
    path,
    {
      size: bytes.length,
      read: async (offset, length) => bytes.subarray(offset, offset + length),
    },
    copy ? { conflict: 'keep-both' } : {},
  )
  return { kind: 'saved' }
}

/** In both texts, only in the first, or only in the second. */
export interface DiffLine {
  readonly kind: 'both' | 'gone' | 'come'
  readonly text: string
}

/** Lines shown around a difference. */
const around = 2

/** The lines in which two texts differ, with some context. */
export function differenceOf(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const lines = (kind: DiffLine['kind'], all: readonly string[]) => all.map((text): DiffLine => ({ kind, text }))
  return [
    ...lines('both', a.slice(Math.max(0, start - around), start)),
    ...lines('gone', a.slice(start, a.length - end)),
    ...lines('come', b.slice(start, b.length - end)),
    ...lines('both', a.slice(a.length - end, a.length - end + around)),
  ]
}
