import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { lazy } from '@qd/core/define'
import * as z from 'zod'
import { readPrivate, writePrivate } from './private-file.ts'

const saved = lazy(() =>
  z.object({
    url: z.string(),
    cookies: z.record(z.string(), z.string()),
    lifetime: z.object({ refreshAt: z.number(), expiresAt: z.number() }).nullable().catch(null),
  }),
)

/** A sign-in as it is kept between two runs. */
export type SavedSession = z.output<ReturnType<typeof saved>>

/** Keeps the sign-in to one address as one person, in a file of its own, replaced in one step (behaviour T-30). */
export interface SessionFile {
  /** The newest one, perhaps written by another `qd` meanwhile; null if there is none or it cannot be read as one. */
  read(): SavedSession | null
  write(session: SavedSession): void
  remove(): void
}

const longestName = 200

/** The file of one sign-in. Cookies are kept for one address only and are never sent to another. */
export function createSessionFile(where: { folder: string; url: string; user: string; platform: string }): SessionFile {
  const { folder, url, user, platform } = where
  const path = join(folder, `${encodeURIComponent(`${user}@${url}`).slice(0, longestName)}.json`)
  return {
    read() {
      const text = readPrivate(path, { platform })
      if (text === null) return null
      const parsed = saved().safeParse(jsonOf(text))
      return parsed.success && parsed.data.url === url ? parsed.data : null
    },
    write: (session) => writePrivate(path, `${JSON.stringify(session)}\n`),
    remove: () => rmSync(path, { force: true }),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
