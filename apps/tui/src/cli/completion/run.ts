import type { Translator } from '@qd/core/i18n'
import { readFiles } from '../../base/connect/settings.ts'
import type { Io } from '../../base/io.ts'
import { splitLine, type TypedLine } from '../../screen/state/typed-line.ts'
import { helpText } from '../commands/command.ts'
import { filesMark } from '../commands/completion-scripts.ts'
import { type Candidate, candidatesFor, type Words } from './candidates.ts'
import { behindBreak, escapeFor } from './line.ts'
import { namesView, refreshNames, refreshWord } from './live-names.ts'

/** How an empty word comes: older PowerShells drop one that is not written with its quotes. */
const emptyWords = ['', '""']

/**
 * `qd __complete SHELL WORD…`: what may stand for the last word, a line each, with what it means behind a tab. bash gives its whole
 * line instead. Whatever goes wrong, nobody is told in the middle of their typing: then there are no words.
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
    : { words: given.slice(0, -1), current: emptyWords.includes(given.at(-1) ?? '') ? '' : given.at(-1)!, quote: '' }
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
