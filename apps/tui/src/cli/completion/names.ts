import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lazy, type ResourceName } from '@qd/core/define'
import * as z from 'zod'
import { readPrivate, writePrivate } from '../../base/connect/private-file.ts'
import type { Settings } from '../../base/connect/settings.ts'

const kept = lazy(() =>
  z.record(z.string(), z.object({ at: z.number(), names: z.array(z.tuple([z.number(), z.string()])) })),
)

/** Ids and titles of records as a server last told them, in a file for each connection (behaviour C-25). */
export interface KnownNames {
  /** Null if they were never asked for. `at`: epoch ms. */
  get(of: ResourceName): { at: number; names: readonly (readonly [id: number, title: string])[] } | null
  put(of: ResourceName, names: readonly (readonly [id: number, title: string])[], at: number): void
}

/** File systems take names of 255 bytes. */
const longestName = 200

/** The names of one connection; a file that cannot be read or written is as if there was none. */
export function createKnownNames(
  { url, user, paths }: Pick<Settings, 'url' | 'user' | 'paths'>,
  platform: string,
): KnownNames {
  const name = `${encodeURIComponent(`${user ?? ''}@${url}`).slice(0, longestName)}.json`
  const path = join(dirname(paths.config), 'names', name)
  const read = () => {
    try {
      return kept().parse(JSON.parse(readPrivate(path, { platform }) ?? '{}'))
    } catch {
      rmSync(path, { force: true })
      return {}
    }
  }
  let known: z.output<ReturnType<typeof kept>> | undefined
  return {
    get(of) {
      known ??= read()
      return known[of] ?? null
    },
    put(of, names, at) {
      known = { ...read(), [of]: { at, names: names.map(([id, title]) => [id, title]) } }
      try {
        writePrivate(path, JSON.stringify(known))
      } catch {
        // Names are optional: if they cannot be stored, the next Tab requests them again.
      }
    },
  }
}
