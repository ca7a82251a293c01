import { readSource } from './sources.ts'

/** The words of decisions.md "Words": one per thing on every surface. */
export interface Words {
  readonly entities: readonly string[]
  readonly verbs: readonly string[]
  /** `cron run`, `waf unblock`… */
  readonly otherVerbs: readonly string[]
  readonly topLevel: readonly string[]
}

const spec = readSource('docs/develop/sources/decisions.md')

function cell(name: string): string {
  const row = new RegExp(`^\\| ${name} \\| (.*) \\|$`, 'm').exec(spec)
  if (!row) throw new Error(`decisions.md has no row "${name}"`)
  return row[1]!
}

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)

/** Reads the table from the page in `docs/develop/sources`. */
export function readWords(): Words {
  const otherVerbs = quoted(cell('other verbs')).flatMap((words) => {
    const [noun, verbs = ''] = words.split(' ')
    return verbs.split('|').map((verb) => `${noun} ${verb}`)
  })
  return {
    entities: quoted(cell('entity nouns'))[0]!.split(' '),
    verbs: quoted(cell('common verbs'))[0]!.split(' '),
    otherVerbs,
    topLevel: quoted(cell('top-level commands'))[0]!.split(' '),
  }
}
