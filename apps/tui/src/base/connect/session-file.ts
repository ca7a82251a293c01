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

export type SavedSession = z.output<ReturnType<typeof saved>>

export interface SessionFile {
  /** The latest, possibly from another `qd`; null if missing or invalid. */
  read(): SavedSession | null
  write(session: SavedSession): void
  remove(): void
}

const longestName = 200

/** Cookies belong to one address and are never sent to another. */
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
