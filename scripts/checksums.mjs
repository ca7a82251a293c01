// SHA256SUMS of a folder, signed by the key of the release as agents are.
import { createHash, sign } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseKey } from './build.mjs'

const sumOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Writes SHA256SUMS, and SHA256SUMS.sig (Ed25519, base64) if there is a key. */
export function writeChecksums(folder) {
  const sums = join(folder, 'SHA256SUMS')
  for (const old of [sums, `${sums}.sig`]) rmSync(old, { force: true })
  const lines = readdirSync(folder)
    .sort()
    .map((name) => `${sumOf(join(folder, name))}  ${name}\n`)
  writeFileSync(sums, lines.join(''))
  if (releaseKey)
    writeFileSync(`${sums}.sig`, `${sign(null, readFileSync(sums), releaseKey.private).toString('base64')}\n`)
}
