import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyValue } from '@qd/core/api'
import { readPrivate, writePrivate } from '../../base/connect/private-file.ts'

/**
 * What the terminal UI remembers of one server as one person, each key in a file that only its owner reads. A file that cannot be
 * read or written is as if there were none: what is remembered only makes the first frame fuller.
 */
export function createStorage(where: { folder: string; url: string; user: string; platform: string }): KeyValue {
  const { folder, url, user, platform } = where
  const name = createHash('sha256').update(`${url}\n${user}`).digest('hex').slice(0, 24)
  const path = (key: string) => join(folder, name, `${key}.json`)
  return {
    get: (key) => forgiving(() => readPrivate(path(key), { platform })) ?? null,
    set: (key, value) => forgiving(() => writePrivate(path(key), value)),
    delete: (key) => forgiving(() => rmSync(path(key), { force: true })),
  }
}

function forgiving<Value>(run: () => Value): Value | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
