import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AnyRow, lazy, type ResourceName, titleOf, type View } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import * as z from 'zod'
import { connect } from '../../base/connect/connection.ts'
import { readPrivate, writePrivate } from '../../base/connect/private-file.ts'
import { readFiles, resolveSettings, type Settings } from '../../base/connect/settings.ts'
import type { Io } from '../../base/io.ts'
import { splitLine, type TypedLine } from '../../screen/state/own-aliases.ts'
import { helpText } from '../commands/command.ts'
import { filesMark } from '../commands/completion.ts'
import { type Candidate, candidatesFor, type Words } from './candidates.ts'

const special = /[^\w@%+=:,./~^-]/g

/** Escapes for bash: by backslashes, or for the open quote. */
export function escapeFor(quote: TypedLine['quote'], word: string): string {
  if (quote === "'") return word.replaceAll("'", `'\\''`)
  if (quote === '"') return word.replace(/["\\$`]/g, '\\$&')
  return word.replace(special, '\\$&')
}

/** Bash replaces only the text after the last colon or equals sign, unless in quotes. */
export function behindBreak(typed: TypedLine, word: string): string {
  if (typed.quote !== '') return word
  const kept = /^.*[:=]/s.exec(typed.current)?.[0].length ?? 0
  return word.slice(kept)
}

/** Older PowerShells drop an empty word without quotes. */
const emptyWords = ['', '""']

/** `qd __complete SHELL WORD…`: a candidate a line, with its meaning behind a tab. bash passes its whole line. */
export async function runComplete(io: Io, words: Words, texts: () => Promise<Translator>): Promise<number> {
  const [shell = '', ...given] = io.args.slice(1)
  try {
    if (shell === refreshWord) await refreshNames(io, given)
    else io.stdout.write(await answer(io, { shell, given, words, texts }))
  } catch (thrown) {
    if (io.env.QD_DEBUG) io.stderr.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`)
  }
  return 0
}

async function answer(
  io: Io,
  from: { shell: string; given: readonly string[]; words: Words; texts(): Promise<Translator> },
): Promise<string> {
  const { shell, given, words, texts } = from
  const isBash = shell === 'bash'
  const line = isBash ? splitLine(given[0] ?? '') : null
  const typed: TypedLine = line
    ? { ...line, words: line.words.slice(1) }
    : {
        words: given.slice(0, -1),
        current: emptyWords.includes(given.at(-1) ?? '') ? '' : (given.at(-1) ?? ''),
        quote: '',
      }
  const found = await candidatesFor(words, typed, {
    view: (names, connect) => namesView(io, names, connect),
    profiles: () => Object.keys(readFiles(io).user.profiles),
    aliases: () => readFiles(io).user.aliases,
  })
  if (found === 'files') return `${filesMark}\n`
  if (isBash) return found.map(({ word }) => `${behindBreak(typed, escapeFor(typed.quote, word))}\n`).join('')
  const translator = found.some(({ help }) => help) ? await texts() : null
  const helpOf = ({ help }: Candidate) => (help && translator ? helpText(translator, help).replace(/\s+/g, ' ') : '')
  return found.map((candidate) => `${candidate.word}\t${helpOf(candidate)}\n`).join('')
}

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
