import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { toSignedText } from '@qd/protocol/agent-update'
import { expect, test } from 'vitest'
import { distrusts } from './update.ts'

const [releaseKey, installationKey] = [1, 2].map(() => generateKeyPairSync('ed25519').privateKey) as [
  KeyObject,
  KeyObject,
]
const toPublic = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
const about = { version: '1.2.3', sha256: 'ab'.repeat(32), size: 7 }
const signed = (key: KeyObject, text = toSignedText(about)) => sign(null, Buffer.from(text), key).toString('base64')
const keys = { release: toPublic(releaseKey), installation: toPublic(installationKey) }

test.each<[string, object, object, boolean, boolean]>([
  ['a release', { release: signed(releaseKey) }, keys, true, true],
  ['a self-made build', { installation: signed(installationKey) }, keys, true, false],
  ['nothing', {}, keys, false, false],
  [
    'the wrong key in each place',
    { release: signed(installationKey), installation: signed(releaseKey) },
    keys,
    false,
    false,
  ],
  [
    'another version',
    { release: signed(releaseKey, toSignedText({ ...about, version: '9.9.9' })) },
    keys,
    false,
    false,
  ],
  ['nonsense', { release: 'x', installation: '\u0000' }, keys, false, false],
  ['an agent of no release', { release: signed(releaseKey) }, { ...keys, release: '' }, false, false],
  [
    'an agent with nonsense for a key',
    { installation: signed(installationKey) },
    { release: 'x', installation: 'x' },
    false,
    false,
  ],
])('issue 37.5 signed by %s', (_name, signatures, trusted, isTaken, isTakenByLocked) => {
  const ask = (isLocked: boolean) =>
    distrusts({ ...about, signatures }, { ...keys, ...trusted }, isLocked) === undefined
  expect([ask(false), ask(true)]).toEqual([isTaken, isTakenByLocked])
})
