/** The topmost layer gets the keys. */
export type Layer = 'page' | 'form' | 'palette' | 'menu' | 'confirm' | 'terminal' | 'files'

/** Sections of the `?` sheet; texts at `ui.keyGroups.<group>`. */
export const keyGroups = [
  'list',
  'rows',
  'charts',
  'logs',
  'files',
  'go',
  'form',
  'palette',
  'terminal',
  'everywhere',
] as const
export type KeyGroup = (typeof keyGroups)[number]

/** A key of no action. Text at `ui.keys.<command>`. */
export interface BaseKey<Name extends string = string> {
  readonly command: Name
  readonly group: KeyGroup
  readonly layers: readonly Layer[]
  readonly chords: { readonly web?: readonly string[]; readonly tui?: readonly string[] }
  readonly whileTyping?: true
}

const both = (...chords: string[]) => ({ web: chords, tui: chords })
const page = ['page'] as const
const list = { group: 'list', layers: page } as const
/** Also works in a folder’s list. */
const anyList = { group: 'list', layers: ['page', 'files'] } as const
const everywhere = { group: 'everywhere', layers: page } as const
const open = ['page', 'form', 'palette', 'menu', 'files'] as const
/** In a folder’s list (behaviors W-19 to W-28). */
const files = { group: 'files', layers: ['files'] } as const
/** Comparing records over time. */
const charts = { group: 'charts', layers: page } as const
/** Of the page that follows log lines. */
const logs = { group: 'logs', layers: page } as const
/** In a terminal every other key is the shell’s (behavior W-15). */
const terminal = { group: 'terminal', layers: ['terminal'], whileTyping: true } as const

/** Keys with a fixed meaning (looks/README "Keys", behaviors P-30 to P-33, P-36). Actions define their own. */
export const baseKeys = [
  { command: 'next', ...anyList, chords: both('j', 'ArrowDown') },
  { command: 'previous', ...anyList, chords: both('k', 'ArrowUp') },
  { command: 'first', ...anyList, chords: both('Home') },
  { command: 'first', ...list, chords: both('g g') },
  { command: 'last', ...anyList, chords: both('End', 'G') },
  { command: 'pageDown', ...anyList, chords: { web: ['PageDown'], tui: ['PageDown', 'Ctrl+f'] } },
  { command: 'pageUp', ...anyList, chords: { web: ['PageUp'], tui: ['PageUp', 'Ctrl+b'] } },
  { command: 'halfDown', ...anyList, chords: { tui: ['Ctrl+d'] } },
  { command: 'halfUp', ...anyList, chords: { tui: ['Ctrl+u'] } },
  { command: 'mark', ...list, chords: { web: ['x'], tui: ['x', 'Space'] } },
  { command: 'markRange', ...anyList, chords: both('X') },
  { command: 'extendDown', ...anyList, chords: both('Shift+ArrowDown') },
  { command: 'extendUp', ...anyList, chords: both('Shift+ArrowUp') },
  { command: 'markAll', ...anyList, chords: { web: ['*', 'Mod+a'], tui: ['*', 'Ctrl+a'] } },
  { command: 'filter', ...anyList, chords: both('/') },
  { command: 'findNext', ...list, chords: { tui: ['n'] } },
  { command: 'findPrevious', ...list, chords: { tui: ['N'] } },
  { command: 'sort', ...list, chords: both('s') },
  { command: 'columns', ...list, chords: both('C') },
  { command: 'savedFilters', ...list, chords: both('F') },
  { command: 'pane', ...list, chords: { tui: ['Tab'] } },
  { command: 'rowActions', ...list, chords: both('.') },
  { command: 'raw', ...list, chords: { tui: ['y'] } },
  { command: 'copyMenu', ...list, chords: { web: ['y'], tui: ['Y'] } },
  { command: 'openLink', ...list, chords: { web: ['o'] } },
  { command: 'openEntry', ...files, chords: both('Enter') },
  { command: 'look', ...files, chords: both('Space') },
  { command: 'follow', ...files, chords: both('F') },
  { command: 'parentFolder', ...files, chords: both('Backspace', 'Alt+ArrowUp', 'ArrowLeft') },
  { command: 'folderBack', ...files, chords: both('Alt+ArrowLeft', '[') },
  { command: 'folderForward', ...files, chords: both('Alt+ArrowRight', ']') },
  { command: 'jump', ...files, chords: both('f') },
  { command: 'goToPath', ...files, chords: both('g') },
  { command: 'refreshFolder', ...files, chords: both('R', 'F5') },
  { command: 'markEntry', ...files, chords: both('x') },
  { command: 'download', ...files, chords: both('d') },
  { command: 'upload', ...files, chords: both('u') },
  { command: 'cancelTransfer', ...files, chords: both('K') },
  { command: 'retryTransfers', ...files, chords: both('T') },
  { command: 'copyPath', ...files, chords: both('y') },
  { command: 'editFile', ...files, chords: both('e') },
  { command: 'newFolder', ...files, chords: both('n') },
  { command: 'renameEntry', ...files, chords: both('r') },
  { command: 'removeEntries', ...files, chords: { web: ['Delete'], tui: ['D'] } },
  { command: 'checksum', ...files, chords: both('c') },
  { command: 'nextMetric', ...charts, chords: { tui: ['v', 'ArrowRight'] } },
  { command: 'previousMetric', ...charts, chords: { tui: ['V', 'ArrowLeft'] } },
  { command: 'logFilter', ...logs, chords: both('f') },
  { command: 'logSince', ...logs, chords: both('s') },
  { command: 'logPause', ...logs, chords: both('p') },
  { command: 'logCopy', ...logs, chords: both('y') },
  { command: 'undo', ...everywhere, chords: both('z') },
  { command: 'reload', ...everywhere, chords: both('R') },
  { command: 'calls', group: 'everywhere', layers: ['page', 'files'], chords: { tui: ['@'] } },
  { command: 'previousTab', ...everywhere, chords: both('[') },
  { command: 'nextTab', ...everywhere, chords: both(']') },
  { command: 'public', group: 'go', layers: page, chords: both('g h') },
  { command: 'logs', group: 'go', layers: page, chords: both('g L') },
  {
    command: 'palette',
    group: 'everywhere',
    layers: open,
    chords: { web: ['Mod+k', 'Ctrl+Shift+k'], tui: ['Ctrl+k'] },
    whileTyping: true,
  },
  { command: 'command', group: 'everywhere', layers: ['page', 'files'], chords: both(':') },
  { command: 'keys', group: 'everywhere', layers: ['page', 'files'], chords: both('?') },
  { command: 'escape', group: 'everywhere', layers: [...open, 'confirm'], chords: both('Escape'), whileTyping: true },
  { command: 'previousView', ...everywhere, chords: { tui: ['-'] } },
  { command: 'quit', group: 'everywhere', layers: ['page', 'files', 'menu', 'confirm'], chords: { tui: ['q'] } },
  {
    command: 'redraw',
    group: 'everywhere',
    layers: [...open, 'confirm'],
    chords: { tui: ['Ctrl+l'] },
    whileTyping: true,
  },
  {
    command: 'suspend',
    group: 'everywhere',
    layers: [...open, 'confirm'],
    chords: { tui: ['Ctrl+z'] },
    whileTyping: true,
  },
  {
    command: 'save',
    group: 'form',
    layers: ['form'],
    chords: { web: ['Mod+Enter'], tui: ['Ctrl+s'] },
    whileTyping: true,
  },
  {
    command: 'testDraft',
    group: 'form',
    layers: ['form'],
    chords: { web: ['Alt+t'], tui: ['Ctrl+t'] },
    whileTyping: true,
  },
  { command: 'insert', group: 'form', layers: ['form'], chords: both('Ctrl+Space'), whileTyping: true },
  { command: 'editor', group: 'form', layers: ['form'], chords: { tui: ['Ctrl+o', 'Ctrl+e'] }, whileTyping: true },
  { command: 'confirm', group: 'form', layers: ['confirm'], chords: { web: ['Mod+Enter'] }, whileTyping: true },
  { command: 'terminalPalette', ...terminal, chords: { web: ['Ctrl+Shift+k', 'Meta+k'] } },
  { command: 'copySelection', ...terminal, chords: { web: ['Ctrl+Shift+c'] } },
  { command: 'paste', ...terminal, chords: { web: ['Ctrl+Shift+v'] } },
  { command: 'search', ...terminal, chords: { web: ['Ctrl+Shift+f'] } },
  { command: 'larger', ...terminal, chords: { web: ['Mod++', 'Mod+='] } },
  { command: 'smaller', ...terminal, chords: { web: ['Mod+-'] } },
  { command: 'normalSize', ...terminal, chords: { web: ['Mod+0'] } },
  { command: 'leave', ...terminal, chords: { web: ['Ctrl+Shift+x'] } },
  { command: 'terminalFiles', ...terminal, layers: ['terminal', 'files'], chords: { web: ['Ctrl+Shift+e'] } },
  { command: 'openApart', group: 'palette', layers: ['palette'], chords: { web: ['Mod+Enter'] }, whileTyping: true },
  { command: 'copyLink', group: 'palette', layers: ['palette'], chords: { web: ['Mod+c'] }, whileTyping: true },
  {
    command: 'copyCli',
    group: 'everywhere',
    layers: [...open, 'confirm'],
    chords: { web: ['Mod+Shift+c'], tui: ['Ctrl+y'] },
    whileTyping: true,
  },
] as const satisfies readonly BaseKey[]

export type BaseCommand = (typeof baseKeys)[number]['command']

/** What Escape does on a list, in this order (behavior P-33). */
export const escapeSteps = ['overlay', 'field', 'filter', 'marks'] as const
export type EscapeStep = (typeof escapeSteps)[number]

export function escapeStep(present: Readonly<Record<EscapeStep, boolean>>): EscapeStep | null {
  return escapeSteps.find((step) => present[step]) ?? null
}
