import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { buildPrograms, type Programs } from '../programs.ts'

/** How a run of `qd` ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Texts = Readonly<Record<string, string>>

/** The shipped `qd` in homes of its own. */
export interface Qd {
  /** Runs it with the words; `input` is piped into it. */
  (words: readonly string[], more?: { env?: Readonly<Record<string, string>>; input?: string }): Promise<Ended>
}

let programs: Programs

/** Builds `qd` for the tests of a file. `files` lie in the home. Returns what makes one for each home; all of it goes with the file. */
export function useQd(): { home(env?: Texts, files?: Texts): Qd } {
  const homes: string[] = []
  beforeAll(async () => {
    programs = await buildPrograms()
  })
  afterAll(() => {
    programs?.close()
    for (const home of homes) rmSync(home, { recursive: true, force: true })
  })
  return {
    home(env = {}, files = {}) {
      const home = mkdtempSync(join(tmpdir(), 'qd-existing-'))
      homes.push(home)
      for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text, { mode: 0o600 })
      return (words, { env: more = {}, input = '' } = {}) => run(words, { home, env: { ...env, ...more }, input })
    },
  }
}

function run(
  words: readonly string[],
  { home, env, input }: { home: string; env: Readonly<Record<string, string>>; input: string },
): Promise<Ended> {
  const child = spawn(process.execPath, [programs.qd, ...words], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', ...env },
    timeout: 60_000,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}
