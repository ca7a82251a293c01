import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AnyRow, lazy, type ResourceName, titleOf, type View } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import * as z from 'zod'
import { connect } from '../../base/connect/connection.ts'
import { readPrivate, writePrivate } from '../../base/connect/private-file.ts'
import { readFiles, resolveSettings, type Settings } from '../../base/connect/settings.ts'
import type { Io } from '../../base/io.ts'

const kept = lazy(() =>
  z.record(z.string(), z.object({ at: z.number(), names: z.array(z.tuple([z.number(), z.string()])) })),
)

/** Ids and titles last seen, in a file per connection (behaviour C-25). */
interface KnownNames {
  /** Null if never requested. `at`: epoch ms. */
  get(of: ResourceName): { at: number; names: readonly (readonly [id: number, title: string])[] } | null
  put(of: ResourceName, names: readonly (readonly [id: number, title: string])[], at: number): void
}

/** File systems limit names to 255 bytes. */
const longestName = 200

/** An unreadable file counts as missing. */
function createKnownNames(
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
        // If they can't be stored, the next Tab requests them again.
      }
    },
  }
}

const freshMs = 30_000
/** How long the first Tab waits for names. */
const timeoutMs = 100
const refreshMs = 10_000

export const refreshWord = 'refresh'

type ConnectWords = Readonly<Record<string, string>>

export async function namesView(io: Io, names: readonly ResourceName[], words: ConnectWords): Promise<View> {
  const { remembered, ask } = await connectionOf(io, words)
  const unknown = names.filter((name) => remembered.get(name) === null)
  const stale = names.filter((name) => (remembered.get(name)?.at ?? 0) < io.now() - freshMs)
  // No background refresh if names have just come or the server is unreachable.
  const isOver = unknown.length > 0 && (await within(io, timeoutMs, ask(unknown, refreshMs)))
  const left = isOver ? stale.filter((name) => !unknown.includes(name)) : stale
  if (left.length > 0)
    await io.startBehind(['__complete', refreshWord, left.join(','), ...Object.entries(words).flat()])
  return viewOf(io, remembered)
}

export async function refreshNames(io: Io, [names = '', ...words]: readonly string[]): Promise<void> {
  const pairs = words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : []))
  const { ask } = await connectionOf(io, Object.fromEntries(pairs) as ConnectWords)
  await ask(names.split(',') as ResourceName[], refreshMs)
}

async function connectionOf(
  io: Io,
  words: ConnectWords,
): Promise<{ remembered: KnownNames; ask(names: readonly ResourceName[], timeoutMs: number): Promise<void> }> {
  const flags = Object.fromEntries(Object.entries(words).map(([name, value]) => [name.slice(2), value]))
  const settings = await resolveSettings(io, flags, readFiles(io))
  const remembered = createKnownNames(settings, io.platform)
  return {
    remembered,
    async ask(names, timeoutMs) {
      const { client, close } = await connect(io, { ...settings, timeoutMs, retries: 0 })
      for (const name of names) {
        const resource = resourceByName(name)
        if (!resource) continue
        const { rows } = await client.list(resource)
        remembered.put(
          name,
          rows.map((row) => [row.id, titleOf(resource, row)]),
          io.now(),
        )
      }
      await close()
    },
  }
}

/** Whether it ended in time, even with an error. Errors at a Tab aren't reported. */
function within(io: Io, ms: number, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = io.setTimer(() => resolve(false), ms)
    const end = () => {
      cancel()
      resolve(true)
    }
    work.then(end, end)
  })
}

function viewOf(io: Io, remembered: KnownNames): View {
  const all = (of: ResourceName): readonly AnyRow[] => {
    const title = resourceByName(of)?.title ?? 'name'
    return (remembered.get(of)?.names ?? []).map(([id, text]): AnyRow => ({ id, [title]: text }))
  }
  const find = (of: ResourceName, id: number) => all(of).find((row) => row.id === id)
  return {
    now: io.now(),
    all,
    find,
    title(of, id) {
      return remembered.get(of)?.names.find(([one]) => one === id)?.[1] ?? null
    },
    referring: () => [],
    trend: () => [],
  }
}
