import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

/** The programs as they are shipped, built from the sources of now. */
export interface Programs {
  /** Path of qd.js. */
  readonly qd: string
  /** Path of the agent's main.js. */
  readonly agent: string
  close(): void
}

interface Targets {
  readonly [name: string]: { build(outdir: string): Promise<unknown> }
}

async function buildInto(...names: readonly string[]): Promise<string> {
  const { targets } = (await import(new URL('scripts/build.mjs', root).href)) as { targets: Targets }
  const folder = mkdtempSync(join(tmpdir(), 'qd-programs-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  // The agent finds its terminal module as an installed one does.
  symlinkSync(fileURLToPath(new URL('node_modules', root)), join(folder, 'node_modules'))
  for (const name of names) await targets[`apps/${name}`]!.build(join(folder, name))
  return folder
}

/** Builds `qd` and the agent into a temporary folder, with the settings of scripts/build.mjs. */
export async function buildPrograms(): Promise<Programs> {
  const folder = await buildInto('tui', 'agent')
  return {
    qd: join(folder, 'tui/qd.js'),
    agent: join(folder, 'agent/main.js'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Builds the agent alone. */
export async function buildAgent(): Promise<Pick<Programs, 'agent' | 'close'>> {
  const folder = await buildInto('agent')
  return {
    agent: join(folder, 'agent/main.js'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
