import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const data = fileURLToPath(new URL('../data/', import.meta.url))
const shared = fileURLToPath(new URL('../../../shared/', import.meta.url))

/** Folders of `tests/data` that are copies, and where their originals are while the project is developed beside them. */
const copied = { fixtures: 'fixtures' }

function files(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? files(path) : [path]
  })
}

test.runIf(existsSync(shared)).each(Object.entries(copied))(
  'copies in tests/data/%s are not older than their originals',
  (copy, original) => {
    const stale = files(join(data, copy))
      .map((path) => relative(join(data, copy), path))
      .filter(
        (path) =>
          !existsSync(join(shared, original, path)) ||
          !readFileSync(join(data, copy, path)).equals(readFileSync(join(shared, original, path))),
      )
    expect(stale).toEqual([])
  },
)
