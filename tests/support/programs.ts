import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

/** Builds `qd` and the agent into a temporary folder, with the settings of scripts/build.mjs. */
export async function buildPrograms(): Promise<Programs> {
  const { targets } = (await import(new URL('scripts/build.mjs', root).href)) as { targets: Targets }
  const folder = mkdtempSync(join(tmpdir(), 'qd-programs-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  await targets['apps/tui']!.build(join(folder, 'qd'))
  await targets['apps/agent']!.build(join(folder, 'agent'))
  return {
    qd: join(folder, 'qd/qd.js'),
    agent: join(folder, 'agent/main.js'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
