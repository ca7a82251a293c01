import type { Translator } from '@qd/core/i18n'
import { readFiles } from '../../base/connect/settings.ts'
import type { Io } from '../../base/io.ts'
import { splitLine, type TypedLine } from '../../screen/state/own-aliases.ts'
import { helpText } from '../commands/command.ts'
import { filesMark } from '../commands/completion.ts'
import { type Candidate, candidatesFor, type Words } from './candidates.ts'
import { namesView, refreshNames, refreshWord } from './live-names.ts'

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

/**
 * `qd __complete SHELL WORD…`: candidates for the last word, with meanings behind a tab. bash passes its whole line.
 * Errors yield no candidates.
 */
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
  return found.map((candidate) => `${candidate.word}\t${helpOf(candidate, translator)}\n`).join('')
}

function helpOf({ help }: Candidate, translator: Translator | null): string {
  return help && translator ? helpText(translator, help).replace(/\s+/g, ' ') : ''
}
