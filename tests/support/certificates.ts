import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A key and the certificate that it signed itself, PEM. */
export interface Certificate {
  key: string
  cert: string
}

/** Makes a certificate for `127.0.0.1` and `localhost` that is good for so many days; `name` is its issuer's common name. */
export function makeCertificate({ days, name }: { days: number; name: string }): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'qd-certificate-'))
  const path = (file: string) => join(folder, file)
  try {
    const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=${name}`
    const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    execFileSync('openssl', [...words.split(' '), ...names, '-keyout', path('key'), '-out', path('cert')], {
      stdio: 'ignore',
    })
    return { key: readFileSync(path('key'), 'utf8'), cert: readFileSync(path('cert'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
