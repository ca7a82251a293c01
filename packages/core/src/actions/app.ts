import { shellQuote } from '@qd/protocol/shell-quote'
import {
  type Audience,
  allowed,
  type IconName,
  plainText,
  type Resource,
  type ResourceName,
  textKey,
  type Viewer,
} from '../define/index.ts'
import { type Language, languages } from '../i18n/index.ts'
import { resources } from '../resources/index.ts'
import { listLine } from './cli.ts'
import type { Command } from './keymap.ts'
import type { BaseCommand } from './keys.ts'
import type { TextRef } from './text.ts'

const ofFiles = {
  look: 'eye',
  download: 'download',
  upload: 'upload',
  goToPath: 'folder',
  copyPath: 'copy',
  refreshFolder: 'refresh-cw',
  parentFolder: 'arrow-up',
  editFile: 'pencil',
  newFolder: 'plus',
  renameEntry: 'tag',
  removeEntries: 'trash-2',
  checksum: 'check',
  cancelTransfer: 'ban',
  retryTransfers: 'refresh-cw',
} as const satisfies Partial<Record<BaseCommand, IconName>>

export type FileCommand = keyof typeof ofFiles

/** A command of the program itself. The front end runs it by its ID. */
export type AppCommandId =
  | Extract<Command, `go:${string}`>
  | 'keys'
  | 'reload'
  | 'undo'
  | 'public'
  | 'wall'
  | 'logs'
  | 'activity'
  | 'columns'
  | 'savedFilters'
  | FileCommand
  | `theme:${'light' | 'dark' | 'system'}`
  | `language:${Language}`
  | `connection:${string}`

export interface AppCommand {
  readonly id: AppCommandId
  /** The key table’s command; null if it has no key. */
  readonly command: Command | null
  readonly label: TextRef
  readonly icon: IconName
  /** English synonyms; `aliasKey` is the key of the translated ones. */
  readonly aliases: readonly string[]
  readonly aliasKey: string | null
  readonly audience: Audience
  /** The same as a CLI command; null if there is none. */
  readonly cli: string | null
  readonly resource: Resource | null
  /** Hidden unless this is on screen. */
  readonly of: 'list' | 'files' | null
}

const plain = {
  command: null,
  aliases: [],
  aliasKey: null,
  audience: 'guest',
  cli: null,
  resource: null,
  of: null,
} as const

export function appCommands(viewer: Viewer): readonly AppCommand[] {
  return [...fileCommands, ...goes(viewer), ...fixed, ...themes, ...tongues()].filter(({ audience }) =>
    allowed(viewer, { audience, scope: null }),
  )
}

/** Switches to a saved connection of the terminal UI, like `qd --profile NAME`. */
export function connectionCommand(name: string): AppCommand {
  return {
    ...plain,
    id: `connection:${name}`,
    label: { key: 'ui.commands.connection', params: { name: plainText(name) } },
    icon: 'arrow-right-left',
    aliases: ['profile', 'switch', 'context', 'server'],
    aliasKey: 'ui.aliases.connection',
    cli: `qd --profile ${shellQuote(name)}`,
  }
}

export function goId(name: ResourceName): Extract<AppCommandId, `go:${string}`> {
  return `go:${name}`
}

function goes(viewer: Viewer): readonly AppCommand[] {
  return resources
    .filter(({ audience, scopes }) => allowed(viewer, { audience: audience.read, scope: scopes.read }))
    .map((resource) => ({
      ...plain,
      id: goId(resource.name),
      command: resource.go === null ? null : goId(resource.name),
      label: { key: textKey[resource.wire.shape === 'one' ? 'one' : 'many'](resource.name) },
      icon: resource.icon,
      aliases: [resource.name.replace('-', ' '), ...resource.aliases],
      audience: resource.audience.read,
      cli: listLine(resource),
      resource,
    }))
}

function own(
  id: Exclude<AppCommandId, FileCommand>,
  icon: IconName,
  aliases: readonly string[],
  more: Partial<AppCommand> = {},
): AppCommand {
  return { ...plain, id, label: { key: `ui.commands.${id}` }, icon, aliases, aliasKey: `ui.aliases.${id}`, ...more }
}

const fixed: readonly AppCommand[] = [
  own('public', 'globe', ['status page', 'visitors', 'home'], { command: 'public' }),
  own('wall', 'monitor', ['big screen', 'kiosk', 'tv'], { label: { key: 'ui.public.wall' } }),
  own('logs', 'file', ['journal', 'tail', 'log lines'], {
    command: 'logs',
    label: { key: 'ui.logs.title' },
    audience: 'user',
  }),
  own('keys', 'keyboard', ['help', 'shortcuts', 'hotkeys'], { command: 'keys' }),
  own('reload', 'refresh-cw', ['refresh', 'try again'], { command: 'reload' }),
  own('undo', 'undo-2', ['revert', 'take back'], { command: 'undo', audience: 'user' }),
  own('activity', 'history', ['log', 'what was done', 'history'], { audience: 'user' }),
  own('columns', 'columns-3', ['choose columns', 'show column', 'hide column', 'fields'], {
    command: 'columns',
    label: { key: 'ui.keys.columns' },
    of: 'list',
  }),
  own('savedFilters', 'list-filter', ['save filter', 'views', 'favourites', 'bookmarks'], {
    command: 'savedFilters',
    label: { key: 'ui.keys.savedFilters' },
    of: 'list',
  }),
]
const fileCommands: readonly AppCommand[] = (Object.keys(ofFiles) as FileCommand[]).map((command) => ({
  ...plain,
  id: command,
  command,
  label: { key: `ui.keys.${command}` },
  icon: ofFiles[command],
  aliases: ['file', 'folder'],
  audience: 'user',
  of: 'files',
}))

const themes: readonly AppCommand[] = (['light', 'dark', 'system'] as const).map((theme) => ({
  ...plain,
  id: `theme:${theme}`,
  label: { key: `ui.commands.theme.${theme}` },
  icon: 'sun',
  aliases: ['theme', 'colors', 'appearance', `${theme} mode`],
  aliasKey: 'ui.aliases.theme',
}))

let named: readonly AppCommand[] | undefined

/** Names each language in that language, for people who can’t read the current one. Built lazily because the names take 15 ms. */
function tongues(): readonly AppCommand[] {
  named ??= languages.map((language) => ({
    ...plain,
    id: `language:${language}`,
    label: { key: 'ui.commands.language', params: { name: nameOf(language, language) } },
    icon: 'languages',
    aliases: ['language', 'locale', language, nameOf(language, 'en')],
    aliasKey: 'ui.aliases.language',
  }))
  return named
}

function nameOf(language: Language, inWords: string): string {
  return new Intl.DisplayNames([inWords], { type: 'language' }).of(language) ?? language
}
