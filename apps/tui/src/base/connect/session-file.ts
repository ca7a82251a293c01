import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { lazy } from '@qd/core/define'
import * as z from 'zod'
import { jsonIn } from '../output/json.ts'
import { readPrivate, writePrivate } from './private-file.ts'

const saved = lazy(() =>
  z.object({
    url: z.string(),
    cookies: z.record(z.string(), z.string()),
    lifetime: z.object({ refreshAt: z.number(), expiresAt: z.number() }).nullable().catch(null),
  }),
)

export type SavedSession = z.output<ReturnType<typeof saved>>

/** File systems limit names to 255 bytes. */
const longestName = 200

export const accountFile = (folder: string, { user, url }: { user: string; url: string }): string =>
  join(folder, `${encodeURIComponent(`${user}@${url}`).slice(0, longestName)}.json`)

/** Cookies belong to one address and are never sent to another. */
export function createSessionFile(where: { folder: string; url: string; user: string; platform: string }) {
  const { folder, url, platform } = where
  const path = accountFile(folder, where)
  return {
    /** The latest, possibly from another `qd`; null if missing or invalid. */
    read() {
      const text = readPrivate(path, { platform })
      if (text === null) return null
      const parsed = saved().safeParse(jsonIn(text))
      return parsed.success && parsed.data.url === url ? parsed.data : null
    },
    write: (session: SavedSession) => writePrivate(path, `${JSON.stringify(session)}\n`),
    remove: () => rmSync(path, { force: true }),
  }
}
