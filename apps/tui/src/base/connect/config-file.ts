import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lazy } from '@qd/core/define'
import { firstItem, usageError } from '@qd/core/errors'
import * as z from 'zod'
import type { Io } from '../io.ts'
import { parseJson } from '../output/json.ts'
import { readPrivate, statsOf, withLock, writePrivate } from './private-file.ts'

export interface Paths {
  config: string
  sessions: string
}

const projectFileName = '.quarterdeck.json'

/** Paths by QD_CONFIG (a file, or a folder with `config.json`), else XDG, else the platform's convention (behaviour C-03). */
export function pathsOf({ env, home, platform }: Pick<Io, 'env' | 'home' | 'platform'>): Paths {
  const named = env.QD_CONFIG
  const folder = env.XDG_CONFIG_HOME || (platform === 'win32' ? env.APPDATA : undefined) || join(home, '.config')
  const config = named
    ? isFolder(named)
      ? join(named, 'config.json')
      : named
    : join(folder, 'quarterdeck', 'config.json')
  const beside = basename(config) === 'config.json' ? 'sessions' : `${basename(config)}.sessions`
  return { config, sessions: join(dirname(config), beside) }
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false
}

export const savedOutputs = ['table', 'plain', 'json', 'jsonl'] as const

/** Preferences of a profile, user or project. `timeout` is a text such as `20s`. */
const preferences = lazy(() => ({
  url: z.string().optional(),
  language: z.string().optional(),
  timeout: z.string().optional(),
  output: z.enum(savedOutputs).optional(),
}))

const profile = lazy(() =>
  z.strictObject({ ...preferences(), user: z.string().optional(), token: z.string().optional() }),
)

const userConfig = lazy(() =>
  z.strictObject({
    ...preferences(),
    current: z.string().optional(),
    mouse: z.boolean().optional(),
    screen_reader: z.boolean().optional(),
    profiles: z.record(z.string(), profile()).default({}),
    aliases: z.record(z.string(), z.string()).default({}),
  }),
)

const projectConfig = lazy(() => z.strictObject({ ...preferences(), profile: z.string().optional() }))

export type Profile = z.output<ReturnType<typeof profile>>
export type UserConfig = z.output<ReturnType<typeof userConfig>>
export type ProjectConfig = z.output<ReturnType<typeof projectConfig>>

/** Empty if there is none. Errors: `usage` if it is broken or readable by others. */
export function readUserConfig(path: string, platform: string): UserConfig {
  return parse(userConfig(), path, readPrivate(path, { platform }) ?? '{}')
}

/** Changes the user's file under a lock, from its latest text. */
export async function changeUserConfig(
  path: string,
  platform: string,
  change: (config: UserConfig) => UserConfig,
): Promise<void> {
  await withLock(path, () => writePrivate(path, `${JSON.stringify(change(readUserConfig(path, platform)), null, 2)}\n`))
}

/** The nearest project file in this folder or above; null if there is none. */
export function readProjectConfig(folder: string): { path: string; config: ProjectConfig } | null {
  const path = join(folder, projectFileName)
  if (statSync(path, { throwIfNoEntry: false })?.isFile())
    return { path, config: parse(projectConfig(), path, readFileSync(path, 'utf8')) }
  const above = dirname(folder)
  return above === folder ? null : readProjectConfig(above)
}

function parse<S extends z.ZodType>(schema: S, path: string, text: string): z.output<S> {
  const parsed = schema.safeParse(parseJson(text, path))
  if (parsed.success) return parsed.data
  const { path: place, message } = firstItem(parsed.error.issues)
  throw usageError('brokenFile', { path, text: [place.join('.'), message].filter(Boolean).join(': ') })
}
