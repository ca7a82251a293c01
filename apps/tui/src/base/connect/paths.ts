import { basename, dirname, join } from 'node:path'
import type { Io } from '../io.ts'
import { statsOf } from './private-file.ts'

/** Where `qd` keeps what outlives it. */
export interface Paths {
  /** Saved connections and preferences. */
  config: string
  /** Folder of the sign-ins, one file each. */
  sessions: string
}

/** The name of a file with preferences of one project, looked for in the working folder and above. */
export const projectFileName = '.quarterdeck.json'

/** Paths by QD_CONFIG (a file, or a folder that holds `config.json`), else by XDG, else by the platform's habit (behaviour C-03). */
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
