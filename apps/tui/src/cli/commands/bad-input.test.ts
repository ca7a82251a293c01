import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { monitoringWorld } from '../../../../../tests/support/tui/monitoring.ts'
import { runQd } from '../../../../../tests/support/tui/run.ts'
import { type RecordingServer, startRecordingServer } from '../../../../../tests/support/tui/server.ts'

let server: RecordingServer
beforeAll(async () => {
  server = await startRecordingServer(monitoringWorld)
})
afterAll(() => server.close())

/** Runs `qd` without a terminal; `input` is what is piped into it. */
async function qd(args: readonly string[], input = '') {
  return runQd({ args, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x' }, input })
}

/** A command, its words, the complaint about each flag, and what is piped into it. */
type Case = [words: string, args: readonly string[], lines: readonly string[], input?: string]

const service = 'service create'
const site = ['--name', 'n', '--target', 'https://example.net']
const chat = ['--name', 'n', '--url-file', '-']
const url = 'https://example.net'
const disks = ['--name', 'n', '--starts-at', 'now', '--ends-at', '+1h', '--cover', 'all-except']

describe('spec section 5: what is wrong is said by flag, and nothing is sent', () => {
  test.each<Case>([
    [service, [], ['--name: required', '--target: required']],
    [service, ['--name', 'n', '--target', 'example.net'], ['--target: enter a URL, such as https://example.net']],
    [service, [...site, '--type', 'icmp'], ['--target: enter a hostname or IP address, such as db.example.net']],
    [service, [...site, '--type', 'tcp'], ['--target: enter a host and port, such as db.example.net:5432']],
    [service, [...site, '--type', 'udp'], ['--type: must be one of: http, icmp, tcp']],
    [service, [...site, '--duration', '29'], ['--duration: must be 30 or more']],
    [service, [...site, '--duration', '0'], ['--duration: must be 30 or more']],
    [service, [...site, '--duration', '1000d'], ['--duration: must be 86,400 or less']],
    [service, [...site, '--duration', 'often'], ['--duration: not a number: “often”']],
    [service, [...site, '--latency-notify', '--min-latency', '-1'], ['--min-latency: must be 0 or more']],
    [service, [...site, '--latency-notify', '--max-latency', 'x'], ['--max-latency: not a number: “x”']],
    [service, [...site, '--cover', 'all'], ['--cover: must be one of: all-except, only-listed']],
    [service, [...site, '--servers', 'nobody'], ['--servers: nothing matches “nobody”']],
    [service, [...site, '--tells', 'nobody'], ['--tells: nothing matches “nobody”']],
    ['service edit 1', ['--name', ''], ['--name: required']],

    ['notification create', [], ['--name: required', '--url-file: required']],
    ['notification create', chat, ['--url-file: enter a URL, such as https://example.net'], 'example.net'],
    [
      'notification create',
      [...chat, '--request-method', 'head'],
      ['--request-method: must be one of: get, post, patch, delete, put'],
      url,
    ],
    [
      'notification create',
      [...chat, '--request-method', 'POST', '--request-type', 'xml'],
      ['--request-type: must be one of: json, form'],
      url,
    ],
    [
      'notification edit chat',
      ['--request-header-file', '-'],
      ['--request-header-file: enter headers as a JSON object, such as {"X-Key": "abc"}'],
      'X-Key: abc',
    ],
    [
      'notification edit chat',
      ['--request-header-file', '-'],
      ['--request-header-file: enter headers as a JSON object, such as {"X-Key": "abc"}'],
      '{"X-Key":"a\\r\\nb"}',
    ],

    [
      'notification edit chat',
      ['--request-body-file', '-'],
      ['--request-body-file: must be 65,536 characters or fewer'],
      '"\n'.repeat(524_289),
    ],

    ['notification-group create', [], ['--name: required']],
    ['notification-group create', ['--name', 'n', '--notifications', '7'], ['--notifications: nothing matches “7”']],

    ['alert-rule create', [], ['--name: required']],
    ['alert-rule create', ['--name', 'n', '--rules', ''], ['--rules: add at least one condition']],
    ['alert-rule create', ['--name', 'n', '--rules', '-'], ['--rules: Invalid JSON string'], '[{"type":"cpu",]'],
    ['alert-rule create', ['--name', 'n', '--rules', '[null]'], ['--rules: Invalid JSON string']],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', '[{"type":"cpu","cover":2,"duration":10}]'],
      ['--rules: condition 1: “cover” must be 0 (all servers except some) or 1 (only some)'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', '[{"type":"cpu","cover":-1,"duration":10}]'],
      ['--rules: condition 1: “cover” must be 0 (all servers except some) or 1 (only some)'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', 'cpu > 90 for 6s'],
      ['--rules: condition 1: must last at least 9 s (3 samples)'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', 'cpu above 90'],
      ['--rules: can’t parse “cpu above 90”. Use a form like cpu > 90 for 30s.'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', 'cpu > 90 on only nobody'],
      ['--rules: can’t parse “cpu > 90 on only nobody”. Use a form like cpu > 90 for 30s.'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', 'transfer_in_cycle > 1T in 0 months from 2026-01-01'],
      ['--rules: condition 1: the cycle length must be at least 1'],
    ],
    [
      'alert-rule create',
      ['--name', 'n', '--rules', '[{"type":"transfer_in_cycle","cover":0,"cycle_interval":1}]'],
      ['--rules: condition 1: enter when the cycle started'],
    ],
    ['alert-rule create', ['--name', 'n', '--trigger-mode', 'twice'], ['--trigger-mode: must be one of: always, once']],
    [
      'alert-rule create',
      ['--name', 'n', '--fail-trigger-tasks', '1,,x'],
      ['--fail-trigger-tasks: nothing matches “x”'],
    ],

    ['maintenance-window create', [], ['--name: required', '--starts-at: required', '--ends-at: required']],
    [
      'maintenance-window create',
      [...disks.slice(0, 4), '--ends-at', 'soon'],
      ['--ends-at: enter a date, such as 2026-11-20T14:00:00Z'],
    ],
    [
      'maintenance-window create',
      [...disks.slice(0, 4), '--ends-at', '2020-01-01'],
      ['--ends-at: the end is before the start'],
    ],
    ['maintenance-window create', [...disks, '--services', 'shop'], ['--services: nothing matches “shop”']],

    ['incident silence 1', ['--for', '10s'], ['--for: must be 60 or more']],
    ['incident silence 1', ['--for', '99d'], ['--for: must be 2,592,000 or less']],
    ['incident ls', ['--state', 'over'], ['--state: must be one of: open, acknowledged, silenced, closed']],

    ['setting set', ['--site-name', ''], ['--site-name: required']],
    ['setting set', ['--outbound-allowlist', 'http://push.lan'], ['--outbound-allowlist: {{.*}}']],
    [
      'setting set',
      ['--enable-ip-change-notification', '--cover', 'some'],
      ['--cover: must be one of: all-except, only-listed'],
    ],
    ['setting set', ['--history-fine-hours', '0'], ['--history-fine-hours: must be 1 or more']],
  ])('%s %j', async (words, args, lines, input) => {
    const before = server.changes.length
    const { code, stdout, stderr } = await qd([...words.split(' '), ...args], input)
    expect({
      code,
      stdout,
      lines: stderr
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.trim()),
    }).toEqual({
      code: 8,
      stdout: '',
      lines: lines.map((line) => (line.includes('{{') ? expect.stringContaining(line.split('{{')[0]!) : line)),
    })
    expect(server.changes.length).toBe(before)
  })
})

describe('a flag that cannot be meant is a usage error', () => {
  test.each<[string, readonly string[], string]>([
    ['notification edit chat', ['--clear', 'url'], 'unknown field url'],
    ['notification edit chat', ['--clear', 'request-bodi'], 'unknown field request-bodi'],
    ['notification create', ['--url', 'https://example.net/secret', '--name', 'n'], 'the field is --url-file'],
    ['notification edit chat', ['--url-file', 'nowhere'], 'can’t read nowhere'],
    ['alert-rule create', ['--name', 'n', '--rules', '@nowhere'], 'can’t read nowhere'],
    ['service create', [...site, '--select', 'web-1', '--servers', 'db-1'], '--select is given twice'],
    ['service create', [...site, '--select', 'group:'], 'invalid query near “:”'],
    ['service create', [...site, '--select', 'nobody'], 'nothing matches “nobody”'],
    ['service create', [...site, '--max-latency', '5'], '--max-latency has no effect with the other values'],
    ['server history web-1', ['--metric', 'cup'], 'unknown metric cup'],
    ['server history web-1', ['--range', 'soon'], '--range must be a duration'],
    ['server history web-1', ['--points', '0'], '--points must be a whole number, not 0'],
    ['service history 1', ['--range', '2d'], '--range must be 1d, 7d, or 30d here, not 2d'],
  ])('%s %j', async (words, args, text) => {
    const before = server.changes.length
    const { code, stdout, stderr } = await qd([...words.split(' '), ...args])
    expect(stderr).toContain(text)
    expect([2, 3, 8, 9]).toContain(code)
    expect(stdout).toBe('')
    expect(server.changes.length).toBe(before)
  })
})
