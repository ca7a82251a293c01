import { readFileSync } from 'node:fs'
import { AppError } from '@qd/core/errors'
import type { Io } from '../io.ts'
import { type Profile, type ProjectConfig, readProjectConfig, readUserConfig, type UserConfig } from './config-file.ts'
import { parseDurationMs } from './duration.ts'
import { type Paths, pathsOf } from './paths.ts'
import { fileFault } from './private-file.ts'

/** Where a value came from, strongest first (behaviour C-02). */
export type Source = 'flag' | 'env' | 'project' | 'user' | 'default'

/** Words of the command line that decide how to connect; all of them optional. */
export interface ConnectFlags {
  url?: string
  profile?: string
  user?: string
  tokenFile?: string
  passwordFile?: string
  timeout?: string
  retries?: string
}

/** How to reach a server and as whom. */
export interface Settings {
  /** Origin and perhaps a path, without a slash at the end. */
  url: string
  urlFrom: Source
  /** Name of the saved connection in use, or null. */
  profile: string | null
  user: string | null
  token: string | null
  password: string | null
  timeoutMs: number
  retries: number
  output: 'table' | 'plain' | 'json' | 'jsonl'
  paths: Paths
}

/** What the local server of `npm start` answers at. */
export const defaultUrl = 'http://127.0.0.1:8008'
const defaultTimeoutMs = 12_000

/** The files of this run. */
export interface Files {
  paths: Paths
  user: UserConfig
  project: { path: string; config: ProjectConfig } | null
}

/** Reads the user's and the project's file. Errors: `usage`. */
export function readFiles(io: Pick<Io, 'env' | 'home' | 'platform' | 'cwd'>): Files {
  const paths = pathsOf(io)
  return { paths, user: readUserConfig(paths.config, io.platform), project: readProjectConfig(io.cwd) }
}

/** Settles every value: flag before environment before project file before user file. Errors: `usage`. */
export async function resolveSettings(io: Io, flags: ConnectFlags, files: Files): Promise<Settings> {
  const { env } = io
  const project = files.project?.config ?? {}
  const named = flags.profile ?? env.QD_PROFILE ?? project.profile
  if (named !== undefined && !Object.hasOwn(files.user.profiles, named)) {
    throw new AppError('usage', { reason: 'unknownProfile', name: named, known: Object.keys(files.user.profiles) })
  }
  const explicitUrl = flags.url ?? env.QD_URL ?? (named === undefined ? project.url : undefined)
  const name = named ?? profileFor(files.user, explicitUrl)
  const profile: Profile = (name === null ? undefined : files.user.profiles[name]) ?? {}
  const [url, urlFrom] = firstOf<string>([
    ['flag', flags.url],
    ['env', env.QD_URL],
    ['user', named === undefined ? undefined : profile.url],
    ['project', project.url],
    ['user', profile.url ?? files.user.url],
  ]) ?? [defaultUrl, 'default' as const]
  const timeout = flags.timeout ?? env.QD_TIMEOUT ?? project.timeout ?? profile.timeout ?? files.user.timeout
  const address = parseUrl(url)
  return {
    url: address,
    urlFrom,
    profile: name,
    user: flags.user ?? env.QD_USER ?? profile.user ?? null,
    token: await tokenFor({ io, flags, profile, address, urlFrom }),
    password: flags.passwordFile === undefined ? (env.QD_PASSWORD ?? null) : await readGiven(io, flags.passwordFile),
    timeoutMs: timeout === undefined ? defaultTimeoutMs : parseDurationMs(timeout, '--timeout'),
    retries: flags.retries === undefined ? 2 : parseRetries(flags.retries),
    output: parseOutput(env.QD_OUTPUT) ?? project.output ?? profile.output ?? files.user.output ?? 'table',
    paths: files.paths,
  }
}

/** The saved connection that is meant without naming one: the current one, or one with the address that was given. */
function profileFor({ current, profiles }: UserConfig, url: string | undefined): string | null {
  const known = current !== undefined && Object.hasOwn(profiles, current) ? current : null
  if (url === undefined) return known
  const wanted = parseUrl(url)
  const fits = (name: string | null): name is string =>
    name !== null && profiles[name]?.url !== undefined && parseUrl(profiles[name].url) === wanted
  return fits(known) ? known : (Object.keys(profiles).find(fits) ?? null)
}

/** A token goes only to an address that the person chose: one from a project's file gets none of theirs. */
async function tokenFor(from: {
  io: Io
  flags: ConnectFlags
  profile: Profile
  address: string
  urlFrom: Source
}): Promise<string | null> {
  const { io, flags, profile, address, urlFrom } = from
  if (flags.tokenFile !== undefined) return readGiven(io, flags.tokenFile)
  const fromEnv = io.env.QD_TOKEN || undefined
  if (fromEnv !== undefined && urlFrom === 'project')
    throw new AppError('usage', { reason: 'projectAddress', url: address, try: `--url ${address}` })
  const isProfileAddress = profile.url === undefined || parseUrl(profile.url) === address
  // Whoever says a user means no token that was saved before.
  return fromEnv ?? (isProfileAddress && flags.user === undefined ? (profile.token ?? null) : null)
}

function firstOf<T>(values: readonly (readonly [Source, T | undefined])[]): readonly [T, Source] | null {
  const found = values.find(([, value]) => value !== undefined && value !== '')
  return found ? [found[1] as T, found[0]] : null
}

/** An address without a trailing slash and without the console's own path. Errors: `usage`. */
export function parseUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text.includes('://') ? text : `http://${text}`)
  } catch {
    throw new AppError('usage', { reason: 'badUrl', url: text })
  }
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AppError('usage', { reason: 'badUrl', url: text.replace(/\/\/[^@/]*@/, '//…@') })
  }
  return url.origin + url.pathname.replace(/\/(dashboard(\/.*)?)?$/, '').replace(/\/+$/, '')
}

/** What is in a file, or on stdin for `-`: a secret, a body, a document; only the first line unless all of them are wanted. Errors: `usage`. */
export async function readGiven(
  io: Pick<Io, 'stdin'>,
  path: string,
  { lines = false }: { lines?: boolean } = {},
): Promise<string> {
  let text: string
  try {
    text = path === '-' ? await io.stdin.readAll() : readFileSync(path, 'utf8')
  } catch (thrown) {
    throw fileFault(path, thrown)
  }
  const given = lines ? text.replace(/\r?\n$/, '') : (text.split(/\r?\n/)[0] ?? '')
  if (given === '') throw new AppError('usage', { reason: 'emptyFile', path: path === '-' ? 'stdin' : path })
  return given
}

function parseOutput(text: string | undefined): Settings['output'] | undefined {
  if (text === undefined || text === '') return undefined
  const outputs = ['table', 'plain', 'json', 'jsonl'] as const
  const known = outputs.find((output) => output === text)
  if (!known) throw new AppError('usage', { reason: 'badOutput', text, known: outputs.join(', ') })
  return known
}

function parseRetries(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new AppError('usage', { reason: 'badNumber', flag: '--retries', text })
  return Number(text)
}
