// SHA256SUMS of files, signed by the key of the release as agents are.
import { createHash, sign } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { releaseKey } from './build.mjs'

const sumOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Writes SHA256SUMS of the files into a folder, and SHA256SUMS.sig (Ed25519, base64) if there is a key. */
export function writeChecksums(folder, files) {
  const sums = join(folder, 'SHA256SUMS')
  for (const old of [sums, `${sums}.sig`]) rmSync(old, { force: true })
  const lines = files.toSorted().map((file) => `${sumOf(file)}  ${basename(file)}\n`)
  writeFileSync(sums, lines.join(''))
  if (releaseKey)
    writeFileSync(`${sums}.sig`, `${sign(null, readFileSync(sums), releaseKey.private).toString('base64')}\n`)
}
