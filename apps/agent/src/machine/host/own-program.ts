import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, open, readFile, rename } from 'node:fs/promises'
import type { OwnProgram, UpdateNote } from '../machine.ts'

const previousOf = (program: string) => `${program}.previous`
const noteOf = (program: string) => `${program}.update`

/** Reads the note on the last update of a program; undefined if no update is open. */
export const readNote = (program: string): UpdateNote | undefined => {
  try {
    return JSON.parse(readFileSync(noteOf(program), 'utf8')) as UpdateNote
  } catch {
    return undefined
  }
}

const writeNote = (program: string, note: UpdateNote) => writeFileSync(noteOf(program), `${JSON.stringify(note)}\n`)

const dropNote = (program: string) => rmSync(noteOf(program), { force: true })

/** Restores the previous program and notes why. If there is no previous program, the new one stays. */
export const rollBack = (program: string, note: UpdateNote, reason: string): void => {
  if (existsSync(previousOf(program))) {
    renameSync(previousOf(program), program)
    writeNote(program, { ...note, failure: `${reason}; ${note.from} is running again` })
  } else dropNote(program)
}

/** The bytes are on the disk, not in a cache of the system, when the promise resolves. */
const writeDurably = async (path: string, bytes: Uint8Array) => {
  const file = await open(path, 'w', 0o644)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The program file of this process and what lies beside it. */
export const createOwnProgram = (program: string, end: Pick<OwnProgram, 'restart' | 'isHeld'>): OwnProgram => ({
  ...end,
  hash: async () =>
    createHash('sha256')
      .update(await readFile(program))
      .digest('hex'),
  async replace(bytes, note) {
    await writeDurably(`${program}.new`, bytes)
    await copyFile(program, previousOf(program))
    await rename(`${program}.new`, program)
    writeNote(program, note)
  },
  note: () => readNote(program),
  dropNote: () => dropNote(program),
})
