import type { Action, AnyRow, Values } from '../define/index.ts'

/** An action on more servers or records than this is confirmed in a separate step (decisions.md, "Runs ask above 10 servers"). */
export const askAbove = 10

/**
 * What is owed to a person before an action runs. `told`: what it will reach is said; a line that was typed in full then goes on, a key
 * shows it first. `asked`: it goes on with a yes only. `apart`: with a yes to this question, also where a form was filled in for it.
 */
export type Asking = 'nothing' | 'told' | 'asked' | 'apart'

/**
 * The one rule, on every surface: what cannot be undone is asked, and so is what reaches many. `count`: the servers it reaches, else the
 * records it is about.
 */
export function askingOf({ confirm, final }: Pick<Action, 'confirm' | 'final'>, count: number): Asking {
  if (confirm === 'none') return 'nothing'
  if (count > askAbove) return 'apart'
  return confirm === 'targets' && !final ? 'told' : 'asked'
}

/**
 * Whether a script must repeat the words too: what is final, goes to a whole fleet at once, and so leaves no server to fall back on.
 * `servers`: those it reaches. `fleet`: all there are.
 */
export function insistsOnWords(
  { allAtOnce }: Pick<Action, 'allAtOnce'>,
  { rows, args, servers, fleet }: { rows: readonly AnyRow[]; args: Values; servers: number; fleet: number },
): boolean {
  return servers > askAbove && servers >= fleet && (allAtOnce?.(rows, args) ?? false)
}
