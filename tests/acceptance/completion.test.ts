import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'

let programs: Programs
const folder = mkdtempSync(join(tmpdir(), 'qd-complete-'))
const env = {
  PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  QD_CONFIG: join(folder, 'config.json'),
  QD_URL: 'http://127.0.0.1:9',
}

beforeAll(async () => {
  programs = await buildPrograms()
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/qd'), `#!/bin/sh\nexec "${process.execPath}" "${programs.qd}" "$@"\n`, {
    mode: 0o755,
  })
  writeFileSync(join(folder, 'passwords.txt'), 'x\n')
  for (const name of ['production', 'staging']) {
    spawnSync(join(folder, 'bin/qd'), ['profile', 'add', name, 'http://127.0.0.1:9'], { env, cwd: folder })
  }
})

afterAll(() => {
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** How each shell is started for a person, and how it takes the script. */
const shells = {
  bash: { args: ['--norc', '--noprofile', '-i'], load: 'PS1="ready> "; eval "$(qd completion bash)"' },
  zsh: { args: ['-f', '-i'], load: 'PS1="ready> "; autoload -Uz compinit && compinit -u; source <(qd completion zsh)' },
  fish: {
    args: ['--no-config', '-i'],
    load: 'function fish_prompt; printf "ready> "; end; qd completion fish | source',
  },
}
const isHere = (name: string) =>
  spawnSync(name, ['-c', 'true'], { env: { ...env, PATH: process.env.PATH } }).status === 0

/** Types a line's beginning and Tab in a real shell; returns what the line reads then. */
async function typed(name: keyof typeof shells, cases: readonly (readonly [typed: string, line: string])[]) {
  const { args, load } = shells[name]
  const terminal = spawn(name, args, { cols: 120, rows: 24, cwd: folder, env })
  let shown = ''
  terminal.onData((text) => {
    shown += text
  })
  const sees = (text: string) =>
    vi.waitFor(() => expect(shown.replace(/\u001b\[[\d;?]*[a-zA-Z]|\u001b[=>]/g, '')).toContain(text), 30_000)
  try {
    terminal.write(`${load}; echo load"ed"\r`)
    await sees('loaded')
    for (const [begun, line] of cases) {
      await sees('ready> ')
      shown = ''
      terminal.write(`echo ${begun}`.replace('echo qd', 'qd'))
      await sees(begun)
      terminal.write('\t')
      await sees(line)
      shown = ''
      // Empties the line and begins another.
      terminal.write('\u0003\r')
    }
  } finally {
    terminal.kill()
  }
}

const cases = [
  ['qd whoa', 'qd whoami'],
  ['qd server force-u', 'qd server force-update'],
  ['qd whoami --profile sta', 'qd whoami --profile staging'],
  ['qd cron create --task-type tri', 'qd cron create --task-type triggered'],
  ['qd server ls status:onl', 'qd server ls status:online'],
  ['qd login --password-file pass', 'qd login --password-file passwords.txt'],
] as const

for (const name of ['bash', 'zsh', 'fish'] as const) {
  test.runIf(isHere(name))(
    `C-25 Tab in ${name} completes commands, flags, options, selections, connections and files`,
    async () => {
      await typed(name, cases)
    },
  )
}

/** Prints the microseconds of CPU that a program used, at its end. */
const printsCpu =
  'data:text/javascript,process.on("exit", () => { const { user, system } = process.cpuUsage(); console.error(user + system) })'

// By the time of a clock, the limit would be that of the machine: what else runs on it comes on top.
test('C-25 an answer takes less than 200 ms of CPU without a server, beside what starting Node takes', () => {
  const spentMs = (args: readonly string[]) => {
    const ended = spawnSync(process.execPath, ['--import', printsCpu, ...args], { env, cwd: folder, encoding: 'utf8' })
    expect(ended).toMatchObject({ status: 0, stderr: expect.stringMatching(/^\d+\n$/) })
    return Number(ended.stderr) / 1000
  }
  const overhead = () => spentMs([programs.qd, '__complete', 'bash', 'qd server get ']) - spentMs(['-e', '0'])
  // A busy machine has cold caches: one of some tries is enough to know what it takes.
  let best = overhead()
  for (let tries = 1; tries < 12 && best >= 200; tries++) best = Math.min(best, overhead())
  expect(best).toBeLessThan(200)
})
