import { execFileSync } from 'node:child_process'
import { shellQuote } from '@qd/protocol/shell-quote'
import { expect, test } from 'vitest'
import { type InstallTarget, type InstallValues, installCommand, isHost, nezhaCommand } from './call.ts'
import { inPowerShell } from './nezha-release.ts'

const uuid = '11111111-1111-4111-8111-111111111111'
const values = { host: 'qd.example:8008', tls: false, uuid: null }

test.each<[InstallTarget['os'], Partial<InstallValues>, string]>([
  [
    'linux',
    {},
    '(curl -fsSL "http://qd.example:8008/install.sh" || wget -qO- "http://qd.example:8008/install.sh") | NZ_SERVER=qd.example:8008 NZ_TLS=false QD_CODE=C0de sh',
  ],
  [
    'macos',
    { host: 'qd.example', tls: true, uuid },
    `(curl -fsSL "https://qd.example:443/install.sh" || wget -qO- "https://qd.example:443/install.sh") | NZ_SERVER=qd.example:443 NZ_TLS=true QD_CODE=C0de NZ_UUID=${uuid} sh`,
  ],
  [
    'windows',
    { uuid },
    `$env:NZ_SERVER="qd.example:8008";$env:NZ_TLS="false";$env:QD_CODE="C0de";$env:NZ_UUID="${uuid}"; irm "http://qd.example:8008/install.ps1" | iex`,
  ],
])('the command of our agent for %s, %j', (os, changes, command) => {
  expect(installCommand({ os, agent: 'ours' }, { ...values, code: 'C0de', ...changes })).toBe(command)
})

const sum = 'ab'.repeat(32)
test.each<[InstallTarget['os'], Partial<InstallValues>, string]>([
  [
    'linux',
    { uuid },
    `(d=$(mktemp -d) && cd "$d" && (curl -fsSL http://qd.example:8008/nezha-agent.sh -o nezha-agent.sh || wget -qO nezha-agent.sh http://qd.example:8008/nezha-agent.sh) && echo "${sum}  nezha-agent.sh" | sha256sum -c && NZ_SERVER=qd.example:8008 NZ_TLS=false NZ_CLIENT_SECRET=S3cret NZ_UUID=${uuid} sh nezha-agent.sh)`,
  ],
  [
    'macos',
    { host: '[::1]', tls: true },
    `(d=$(mktemp -d) && cd "$d" && (curl -fsSL "https://[::1]/nezha-agent.sh" -o nezha-agent.sh || wget -qO nezha-agent.sh "https://[::1]/nezha-agent.sh") && echo "${sum}  nezha-agent.sh" | shasum -a 256 -c && NZ_SERVER="[::1]" NZ_TLS=true NZ_CLIENT_SECRET=S3cret sh nezha-agent.sh)`,
  ],
  [
    'windows',
    { tls: true },
    `$env:NZ_SERVER="qd.example:8008";$env:NZ_TLS="true";$env:NZ_CLIENT_SECRET="S3cret"; [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12; $f = "$env:TEMP\\nezha-agent.ps1"; Invoke-WebRequest -UseBasicParsing "https://qd.example:8008/nezha-agent.ps1" -OutFile $f; if ((Get-FileHash -Algorithm SHA256 $f).Hash -eq "${sum}") { powershell.exe -ExecutionPolicy Bypass -File $f } else { throw "wrong checksum; copy the command again" }`,
  ],
])('the command of the Nezha agent for %s, %j, is pinned', (os, changes, command) => {
  expect(nezhaCommand(os, { ...values, secret: 'S3cret', ...changes }, sum)).toBe(command)
})

const hostile = ['', "a'b", '$(id)', '`id`; "x" \\ \n!', '~', '*', "'; rm -rf / #"]
test('each text is one word for the shell, and a text without code for PowerShell', () => {
  const words = execFileSync('sh', ['-c', `printf '%s\\0' ${hostile.map(shellQuote).join(' ')}`], { encoding: 'utf8' })
  expect(words.split('\0').slice(0, -1)).toEqual(hostile)
  expect(hostile.map(inPowerShell)).toEqual([
    "''",
    "'a''b'",
    "'$(id)'",
    '\'`id`; "x" \\ \n!\'',
    "'~'",
    "'*'",
    "'''; rm -rf / #'",
  ])
  expect(inPowerShell('\u2019;id')).toBe("'\u2019\u2019;id'")
})

test.each([
  ['qd.example:8008', true],
  ['127.0.0.1', true],
  ['[::1]:8008', true],
  ['qd.example:8008; rm -rf /', false],
  ['$(id)', false],
  ['a"b', false],
  ['', false],
])('%j as the address agents connect to: %s', (host, good) => {
  expect(isHost(host)).toBe(good)
})
