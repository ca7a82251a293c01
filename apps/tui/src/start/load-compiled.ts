import { readFileSync } from 'node:fs'
import Module from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

/** What each script that the build writes beside this program has. */
interface Scripts {
  readonly commands: Pick<typeof import('./program.ts'), 'runProgram'>
  readonly ui: Pick<typeof import('./ui-program.ts'), 'runWithUi'>
}

/**
 * A part of the program, which the build wrote beside it as one script, with what V8 made of it: a start reads that instead of
 * compiling up to 1.4 MB anew. V8 refuses what another version of it made, and there may be nothing that can be read; the script is compiled then,
 * as any other.
 */
export function loadCompiled<Name extends keyof Scripts>(folder: string, name: Name): Scripts[Name] {
  const file = join(folder, `${name}.cjs`)
  // It is all ASCII (`tests/tui/compiled.test.ts`): so it is read without being decoded, and V8 keeps it in half the room.
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: cacheOf(file) })
  const module = { exports: {} as Scripts[Name] }
  script.runInThisContext()(Module.createRequire(file), module)
  return module.exports
}

function cacheOf(file: string): Buffer | undefined {
  try {
    return readFileSync(`${file}.cache`)
  } catch {
    return undefined
  }
}
