import type { AnyRow } from '../define/index.ts'
import { AppError, type Problem } from '../errors/index.ts'
import { server } from '../resources/index.ts'
import type { Json } from './tool.ts'

/** A word as every POSIX shell reads it back. */
const quote = (word: unknown) => `'${String(word).replaceAll("'", `'\\''`)}'`

/**
 * What a host's shell is given for a command with arguments, a folder, an environment and an input. The agents that we talk to take one line, so
 * that these are a POSIX shell's; a Windows host takes the command alone. Errors: `invalid`.
 */
export function commandLine(row: AnyRow, { cmd, args, cwd, env, stdin }: Json): string {
  const words = (args as readonly unknown[] | undefined) ?? []
  const named = Object.entries((env as Json | undefined) ?? {})
  const problems: Problem[] = named
    .filter(([name]) => !/^[A-Za-z_]\w*$/.test(name))
    .map(() => ({ field: 'env', code: 'wrong' }))
  const isWindows = /windows/i.test(String((server.read.parse(row).host as Json).platform ?? ''))
  if (isWindows)
    for (const [field, value] of Object.entries({ args, cwd, env, stdin }))
      if (value !== undefined) problems.push({ field, code: 'wrong' })
  if (problems.length > 0) throw new AppError('invalid', {}, { problems })
  // With arguments the command is a program's name, without it is a line of the shell's.
  const line = words.length > 0 ? [cmd, ...words].map(quote).join(' ') : String(cmd)
  const set = named.map(([name, value]) => `export ${name}=${quote(value)}; `).join('')
  const at = cwd ? `cd ${quote(cwd)} || exit 1; ` : ''
  const inner = `${at}${set}${line}`
  return stdin === undefined ? inner : `printf %s ${quote(stdin)} | (${inner})`
}
