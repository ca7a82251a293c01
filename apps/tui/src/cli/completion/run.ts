import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { splitLine, type TypedLine } from '@qd/core/actions'
import { type AnyRow, lazy, type ResourceName, titleOf, type View } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import * as z from 'zod'
import { connect } from '../../base/connect/connection.ts'
import { readPrivate, writePrivate } from '../../base/connect/private-file.ts'
import { accountFile } from '../../base/connect/session-file.ts'
import { readFiles, resolveSettings } from '../../base/connect/settings.ts'
import type { Io } from '../../base/io.ts'
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
    else io.stdout.write(await answer(io, words, { shell, given, texts }))
  } catch (thrown) {
    if (io.env.QD_DEBUG) io.stderr.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`)
  }
  return 0
}

function typedLine(shell: string, given: readonly string[]): TypedLine {
  const last = given.at(-1) ?? ''
  if (shell !== 'bash') return { words: given.slice(0, -1), current: emptyWords.includes(last) ? '' : last, quote: '' }
  const line = splitLine(last)
  return { ...line, words: line.words.slice(1) }
}

async function answer(
  io: Io,
  words: Words,
  { shell, given, texts }: { shell: string; given: readonly string[]; texts(): Promise<Translator> },
): Promise<string> {
  const typed = typedLine(shell, given)
  const found = await candidatesFor(words, typed, {
    view: (names, connect) => namesView(io, names, connect),
    profiles: () => Object.keys(readFiles(io).user.profiles),
    aliases: () => readFiles(io).user.aliases,
  })
  if (found === 'files') return `${filesMark}\n`
  if (shell === 'bash') return found.map(({ word }) => `${behindBreak(typed, escapeFor(typed.quote, word))}\n`).join('')
  const translator = found.some(({ help }) => help) ? await texts() : null
  const helpOf = ({ help }: Candidate) => (help && translator ? helpText(translator, help).replace(/\s+/g, ' ') : '')
  return found.map((candidate) => `${candidate.word}\t${helpOf(candidate)}\n`).join('')
}

const kept = lazy(() =>
  z.record(z.string(), z.object({ at: z.number(), rows: z.array(z.looseObject({ id: z.number() })) })),
)

const freshMs = 30_000
/** How long the first Tab waits for names. */
const waitMs = 100
const refreshMs = 10_000

const refreshWord = 'refresh'

type ConnectWords = Readonly<Record<string, string>>

export async function namesView(io: Io, names: readonly ResourceName[], words: ConnectWords): Promise<View> {
  const { known, ask } = await connectionOf(io, words)
  const unknown = names.filter((name) => !known()[name])
  const stale = names.filter((name) => (known()[name]?.at ?? 0) < io.now() - freshMs)
  // No background refresh if names have just come or the server is unreachable.
  const isOver = unknown.length > 0 && (await within(io, waitMs, ask(unknown)))
  const left = isOver ? stale.filter((name) => !unknown.includes(name)) : stale
  if (left.length > 0)
    await io.startBehind(['__complete', refreshWord, left.join(','), ...Object.entries(words).flat()])
  const all = (of: ResourceName): readonly AnyRow[] => known()[of]?.rows ?? []
  const find = (of: ResourceName, id: number) => all(of).find((row) => row.id === id)
  return {
    now: io.now(),
    all,
    find,
    title(of, id) {
      const row = find(of, id)
      return row ? titleOf(resourceByName(of), row) : null
    },
    referring: () => [],
    trend: () => [],
  }
}

async function refreshNames(io: Io, [names = '', ...words]: readonly string[]): Promise<void> {
  const pairs = words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : []))
  const { ask } = await connectionOf(io, Object.fromEntries(pairs) as ConnectWords)
  await ask(names.split(',') as ResourceName[])
}

/** Records by ID and title as last seen, in a file per connection (behaviour C-25). Unreadable, it counts as missing. */
async function connectionOf(io: Io, words: ConnectWords) {
  const flags = Object.fromEntries(Object.entries(words).map(([name, value]) => [name.slice(2), value]))
  const settings = await resolveSettings(io, flags, readFiles(io))
  const { url, user, paths } = settings
  const path = accountFile(join(dirname(paths.config), 'names'), { url, user: user ?? '' })
  const read = () => {
    try {
      return kept().parse(JSON.parse(readPrivate(path, io) ?? '{}'))
    } catch {
      rmSync(path, { force: true })
      return {}
    }
  }
  let known = read()
  return {
    known: () => known,
    async ask(names: readonly ResourceName[]) {
      const { client, close } = await connect(io, { ...settings, timeoutMs: refreshMs, retries: 0 })
      for (const name of names) {
        const resource = resourceByName(name)
        const { rows } = await client.list(resource)
        const named = rows.map((row) => ({ id: row.id, [resource.title]: titleOf(resource, row) }))
        known = { ...read(), [name]: { at: io.now(), rows: named } }
        try {
          writePrivate(path, JSON.stringify(known))
        } catch {
          // If they can't be stored, the next Tab requests them again.
        }
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
