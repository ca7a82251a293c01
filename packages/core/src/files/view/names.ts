import { type FolderEntry, isFolder } from './folder-order.ts'

export const conflictChoices = ['skip', 'replace', 'keep-both'] as const
export type ConflictChoice = (typeof conflictChoices)[number]

/** A free name such as `notes (2).txt`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 2; ; count++) {
    const next = `${stem} (${count})${ending}`
    if (!taken.has(next)) return next
  }
}

export interface Conflict {
  readonly name: string
  /** A folder can’t be replaced and replaces nothing. */
  readonly isFolder: boolean
  readonly more: number
}

/** `forAll`: also for the following conflicts. Null: cancel the upload. */
export type ConflictAnswer = { choice: ConflictChoice; forAll: boolean } | null

/**
 * Resolves name conflicts of an upload (behavior W-27). Returns the names in the order of the files, null for skipped ones; null in all if the
 * user cancels. `folders`: which of the names are folders.
 */
export async function settleNames(
  names: readonly string[],
  entries: readonly FolderEntry[],
  ask: (conflict: Conflict) => Promise<ConflictAnswer>,
  folders: ReadonlySet<string> = new Set(),
): Promise<readonly (string | null)[] | null> {
  const kinds = new Map(entries.map((entry) => [entry.name, isFolder(entry)]))
  const taken = new Set(kinds.keys())
  const conflicts = names.filter((name) => taken.has(name)).length
  const settled: (string | null)[] = []
  let asked = 0
  let forAll: ConflictChoice | null = null
  for (const name of names) {
    if (!taken.has(name)) {
      taken.add(name)
      settled.push(name)
      continue
    }
    asked += 1
    const isTakenByFolder = kinds.get(name) === true || folders.has(name)
    let choice: ConflictChoice | null = forAll
    if (choice === null || (isTakenByFolder && choice === 'replace')) {
      const answer: ConflictAnswer = await ask({
        name,
        isFolder: isTakenByFolder,
        more: Math.max(0, conflicts - asked),
      })
      if (answer === null) return null
      choice = answer.choice
      if (answer.forAll) forAll = choice
    }
    const chosen = choice === 'skip' ? null : choice === 'replace' ? name : freeName(name, taken)
    if (chosen !== null) taken.add(chosen)
    settled.push(chosen)
  }
  return settled
}
