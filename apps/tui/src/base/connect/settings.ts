import { readFileSync } from 'node:fs'
import { AppError, usageError } from '@qd/core/errors'
import type { Io } from '../io.ts'
import {
  type Paths,
  type Profile,
  type ProjectConfig,
  pathsOf,
  readProjectConfig,
  readUserConfig,
  savedOutputs,
  type UserConfig,
} from './config-file.ts'
import { parseDurationMs } from './duration.ts'
import { fileFault } from './private-file.ts'

export type Source = 'flag' | 'env' | 'project' | 'user' | 'default'

export interface ConnectFlags {
  endpoint?: string | undefined
  /** Deprecated alias of `endpoint`. */
  url?: string | undefined
  profile?: string | undefined
  user?: string | undefined
  tokenFile?: string | undefined
  passwordFile?: string | undefined
  timeout?: string | undefined
  retries?: string | undefined
}

export interface Settings {
  url: string
  urlFrom: Source
  profile: string | null
  user: string | null
  token: string | null
  /** Null if it is saved, or if there is none. */
  tokenFrom: '--token-file' | 'QD_TOKEN' | null
  password: string | null
  timeoutMs: number
  retries: number
  output: (typeof savedOutputs)[number]
  paths: Paths
}

/** The address of `npm start`. */
export const defaultUrl = 'http://127.0.0.1:8008'
const defaultTimeoutMs = 12_000

export interface Files {
  paths: Paths
  user: UserConfig
  project: { path: string; config: ProjectConfig } | null
}

export function readFiles(io: Pick<Io, 'env' | 'home' | 'platform' | 'cwd'>): Files {
  const paths = pathsOf(io)
  return { paths, user: readUserConfig(paths.config, io.platform), project: readProjectConfig(io.cwd) }
}

/** Precedence: flag, environment, project file, user file. Errors: `usage`. */
export async function resolveSettings(io: Io, flags: ConnectFlags, files: Files): Promise<Settings> {
  const { env } = io
  const given = flags.endpoint ?? flags.url
  const project = files.project?.config ?? {}
  const named = flags.profile ?? env.QD_PROFILE ?? project.profile
  if (named !== undefined && !Object.hasOwn(files.user.profiles, named)) {
    throw new AppError('usage', { reason: 'unknownProfile', name: named, known: Object.keys(files.user.profiles) })
  }
  const explicitUrl = given ?? env.QD_URL ?? (named === undefined ? project.url : undefined)
  const name = named ?? profileFor(files.user, explicitUrl)
  const profile: Profile = (name === null ? undefined : files.user.profiles[name]) ?? {}
  const [url, urlFrom] = firstOf<string>([
    ['flag', given],
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
    ...(await tokenFor({ io, flags, profile, address, urlFrom })),
    password:
      flags.passwordFile === undefined
        ? fromEnvironment(env, 'QD_PASSWORD', { address, urlFrom })
        : await readGiven(io, flags.passwordFile),
    timeoutMs: timeout === undefined ? defaultTimeoutMs : parseDurationMs(timeout, '--timeout'),
    retries: flags.retries === undefined ? 2 : parseRetries(flags.retries),
    output: parseOutput(env.QD_OUTPUT) ?? project.output ?? profile.output ?? files.user.output ?? 'table',
    paths: files.paths,
  }
}

function profileFor({ current, profiles }: UserConfig, url: string | undefined): string | null {
  const known = current !== undefined && Object.hasOwn(profiles, current) ? current : null
  if (url === undefined) return known
  const wanted = parseUrl(url)
  const fits = (name: string | null): name is string =>
    name !== null && profiles[name]?.url !== undefined && parseUrl(profiles[name].url) === wanted
  return fits(known) ? known : (Object.keys(profiles).find(fits) ?? null)
}

/** Saved tokens are never sent to an address that a project’s file chose. */
async function tokenFor(from: {
  io: Io
  flags: ConnectFlags
  profile: Profile
  address: string
  urlFrom: Source
}): Promise<Pick<Settings, 'token' | 'tokenFrom'>> {
  const { io, flags, profile, address, urlFrom } = from
  const given = (token: string, tokenFrom: NonNullable<Settings['tokenFrom']>) => {
    return { token: demandPrintable(token, tokenFrom), tokenFrom }
  }
  if (flags.tokenFile !== undefined) return given(await readGiven(io, flags.tokenFile), '--token-file')
  const fromEnv = fromEnvironment(io.env, 'QD_TOKEN', { address, urlFrom })
  const isProfileAddress = profile.url === undefined || parseUrl(profile.url) === address
  if (fromEnv !== null) return given(fromEnv, 'QD_TOKEN')
  return { token: isProfileAddress && flags.user === undefined ? (profile.token ?? null) : null, tokenFrom: null }
}

function demandPrintable(token: string, name: string): string {
  if (/[^\x21-\x7e]/.test(token)) throw new AppError('usage', { reason: 'badTokenText', name })
  return token
}

/**
 * A secret of the environment, without the line feed that a CI store may add; null if there is none. Errors: `usage` if
 * a project’s file chose the address.
 */
function fromEnvironment(
  env: Io['env'],
  name: 'QD_TOKEN' | 'QD_PASSWORD',
  { address, urlFrom }: { address: string; urlFrom: Source },
): string | null {
  const secret = env[name]?.replace(/[\r\n]+$/, '')
  if (!secret) return null
  if (urlFrom === 'project')
    throw new AppError('usage', { reason: 'projectAddress', url: address, name, try: `--endpoint ${address}` })
  return secret
}

function firstOf<T>(values: readonly (readonly [Source, T | undefined])[]): readonly [T, Source] | null {
  const found = values.find(([, value]) => value !== undefined && value !== '')
  return found ? [found[1] as T, found[0]] : null
}

/** Strips the trailing slash and the console's path. Errors: `usage`. */
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

/** Reads a file, or stdin for `-`; by default only its first line. Errors: `usage`. */
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
  const known = savedOutputs.find((output) => output === text)
  if (!known) throw usageError('badOutput', { text, known: savedOutputs.join(', ') })
  return known
}

function parseRetries(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new AppError('usage', { reason: 'badNumber', flag: '--retries', text })
  return Number(text)
}
