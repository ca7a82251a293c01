import { expect, test } from 'vitest'
import { type InstallTarget, type InstallValues, installCommand, isHost } from './call.ts'

const uuid = '11111111-1111-4111-8111-111111111111'
const values = { host: 'qd.example:8008', tls: false, uuid: null }
const raw = 'https://raw.githubusercontent.com/nezhahq/scripts/main/agent/install'

test.each<[InstallTarget['os'], InstallTarget['agent'], Partial<InstallValues>, string]>([
  [
    'linux',
    'ours',
    {},
    '(curl -fsSL "http://qd.example:8008/install.sh" || wget -qO- "http://qd.example:8008/install.sh") | NZ_SERVER=qd.example:8008 NZ_TLS=false QD_CODE=C0de sh',
  ],
  [
    'macos',
    'ours',
    { host: 'qd.example', tls: true, uuid },
    `(curl -fsSL "https://qd.example:443/install.sh" || wget -qO- "https://qd.example:443/install.sh") | NZ_SERVER=qd.example:443 NZ_TLS=true QD_CODE=C0de NZ_UUID=${uuid} sh`,
  ],
  [
    'windows',
    'ours',
    { uuid },
    `$env:NZ_SERVER="qd.example:8008";$env:NZ_TLS="false";$env:QD_CODE="C0de";$env:NZ_UUID="${uuid}"; irm "http://qd.example:8008/install.ps1" | iex`,
  ],
  [
    'linux',
    'nezha',
    { uuid },
    `curl -L ${raw}.sh -o agent.sh && chmod +x agent.sh && env NZ_SERVER=qd.example:8008 NZ_TLS=false NZ_CLIENT_SECRET=S3cret NZ_UUID=${uuid} ./agent.sh`,
  ],
  [
    'windows',
    'nezha',
    { tls: true },
    `$env:NZ_SERVER="qd.example:8008";$env:NZ_TLS="true";$env:NZ_CLIENT_SECRET="S3cret"; [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Ssl3 -bor [Net.SecurityProtocolType]::Tls -bor [Net.SecurityProtocolType]::Tls11 -bor [Net.SecurityProtocolType]::Tls12;set-ExecutionPolicy RemoteSigned;Invoke-WebRequest ${raw}.ps1 -OutFile C:\\install.ps1;powershell.exe C:\\install.ps1`,
  ],
])('the command for %s, agent %s, %j', (os, agent, changes, command) => {
  const credential = agent === 'ours' ? { code: 'C0de' } : { secret: 'S3cret' }
  expect(installCommand({ os, agent }, { ...values, ...credential, ...changes })).toBe(command)
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
