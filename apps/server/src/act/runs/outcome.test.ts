import { execFileSync } from 'node:child_process'
import { unit } from '@qd/core/resources'
import { TaskResult } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { expect, test } from 'vitest'
import { programTask, readProgramOutcome } from './outcome.ts'

/** A repeatable sequence of numbers below 1. */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const command = await unit.host!.commands()
const pieces = [
  ...[
    '$(touch pwned)',
    '`id`',
    '"',
    "'",
    '\\',
    ';',
    '&&',
    '|',
    '>',
    '<',
    '*',
    '?',
    '~',
    '!',
    '#',
    '(',
    ')',
    '{a,b}',
    '[a]',
  ],
  ...[
    '--help',
    '-',
    '--',
    '=',
    '$HOME',
    '$IFS',
    '\n',
    '\r',
    '\t',
    ' ',
    '\u001b[31m',
    '\u202e',
    '\ufeff',
    'ü',
    '服务',
    '🦊',
  ],
  ...['nginx', '.service', '@', 'a\\x2db', '%n', "'\\''", '$$', '\u2028', '\u00a0', '\u007f', 'e\u0301'],
]
const next = random(40)
const name = () =>
  Array.from({ length: 1 + Math.floor(next() * 6) }, () => pieces[Math.floor(next() * pieces.length)]).join('')

test('10,000 names: a shell gets each as one argument and runs none of them', () => {
  for (let round = 0; round < 20; round += 1) {
    const names = Array.from({ length: 500 }, name)
    const { type, data } = programTask(command('restart', names)!, false)
    expect(type).toBe(Number(taskType.command))
    const printed = execFileSync('sh', ['-c', `systemctl() { printf '%s\\0' "$@"; }\n${data}`], { encoding: 'utf8' })
    expect(printed.split('\0').slice(0, -1)).toEqual(['restart', '--', ...names])
  }
})

test('our agents get the arguments as they are', () => {
  const names = ['--help', '$(id)', 'a b']
  const { type, data } = programTask(['systemctl', 'restart', '--', ...names], true)
  expect(type).toBe(Number(taskType.exec))
  expect(JSON.parse(data)).toMatchObject({ cmd: 'systemctl', args: ['restart', '--', ...names], timeout_seconds: 300 })
})

const outcomeOf = (data: unknown, successful = true) =>
  readProgramOutcome(TaskResult.create({ successful, data: typeof data === 'string' ? data : JSON.stringify(data) }))
const done = { exit_code: 0, stdout: '', stderr: '', duration_ms: 12 }

test('what an agent says of a program', () => {
  expect(outcomeOf({ ...done, stdout: 'ok\n' })).toMatchObject({
    state: 'success',
    reason: null,
    exitCode: 0,
    output: 'ok\n',
    durationMs: 12,
  })
  expect(
    outcomeOf({ ...done, stdout: 'o', stdout_truncated: true, stderr: 'e', stderr_truncated: true }),
  ).toMatchObject({
    output: 'o\n[output cut]\ne\n[output cut]',
  })
  expect(outcomeOf({ ...done, exit_code: 5, stderr: '\u001b[31mUnit x.service not found.' })).toMatchObject({
    state: 'failure',
    exitCode: 5,
    output: '␛[31mUnit x.service not found.',
  })
  expect(outcomeOf({ ...done, exit_code: -1, timed_out: true })).toMatchObject({
    state: 'failure',
    reason: 'timeLimit',
    exitCode: null,
  })
  expect(outcomeOf({ ...done, exit_code: -1, error: 'executable file not found' })).toMatchObject({
    state: 'failure',
    output: 'executable file not found',
  })
})

test('refusals of our agents and existing ones, and an answer that is none', () => {
  const refused = { state: 'failure', reason: 'refused' }
  expect(outcomeOf({ ...done, exit_code: -1, error: 'agent disabled command execution' })).toMatchObject(refused)
  expect(outcomeOf('this agent is watch-only (watch_only on the host)', false)).toMatchObject(refused)
  expect(outcomeOf('{')).toMatchObject({ state: 'failure', output: '{' })
  expect(outcomeOf('null')).toMatchObject({ state: 'failure' })
  expect(outcomeOf({ exit_code: 'x', stdout: 7 })).toMatchObject({ state: 'failure', exitCode: null, output: '' })
})
